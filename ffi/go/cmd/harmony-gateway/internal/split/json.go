package split

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// A member of a JSON object, its value as it was written.
type member struct{ name, value string }

// members lists those of an object in their order, without the names given.
func members(object gjson.Result, without ...string) []member {
	var all []member
	object.ForEach(func(name, value gjson.Result) bool {
		for _, not := range without {
			if name.Str == not {
				return true
			}
		}
		all = append(all, member{name.Str, value.Raw})
		return true
	})
	return all
}

// pick lists the members with these names, in their own order.
func pick(object gjson.Result, names ...string) []member {
	var all []member
	for _, member := range members(object) {
		for _, name := range names {
			if member.name == name {
				all = append(all, member)
			}
		}
	}
	return all
}

// only says whether an object says nothing but these; null says nothing.
func only(object gjson.Result, names ...string) bool {
	for _, member := range members(object, names...) {
		if member.value != "null" {
			return false
		}
	}
	return true
}

// says tells whether a value is there and says something.
func saysSomething(value gjson.Result) bool {
	switch value.Type {
	case gjson.Null:
		return false
	case gjson.String:
		return value.Str != ""
	case gjson.JSON:
		return len(strings.TrimSpace(value.Raw)) > 2 && value.Raw != "[]"
	}
	return true
}

func object(members []member) string {
	var out strings.Builder
	out.WriteByte('{')
	for i, member := range members {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(quote(member.name))
		out.WriteByte(':')
		out.WriteString(member.value)
	}
	out.WriteByte('}')
	return out.String()
}

// quote writes a JSON string; unlike json.Marshal it leaves <, > and & as they are.
func quote[T string | []byte](text T) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.Encode(string(text)) // of a string never fails
	return strings.TrimSuffix(out.String(), "\n")
}

// oneLine: in JSON line ends stand between values only.
func oneLine(text string) string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(text)
}
