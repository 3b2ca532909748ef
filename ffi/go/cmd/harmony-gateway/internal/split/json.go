package split

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// A member of a JSON object, its value as it was written.
type member struct{ name, value string }

// members lists those of an object in their order, without the names given.
func members(object gjson.Result, not ...string) []member {
	var all []member
	object.ForEach(func(name, value gjson.Result) bool {
		if !slices.Contains(not, name.Str) {
			all = append(all, member{name.Str, value.Raw})
		}
		return true
	})
	return all
}

// pick lists the members with these names, in their own order.
func pick(members []member, names ...string) []member {
	var all []member
	for _, member := range members {
		if slices.Contains(names, member.name) {
			all = append(all, member)
		}
	}
	return all
}

// without lists the members but this one.
func without(members []member, name string) []member {
	return slices.DeleteFunc(slices.Clone(members), func(one member) bool { return one.name == name })
}

// only says whether an object says nothing but these; null says nothing.
func only(object gjson.Result, names ...string) bool {
	nothing := true
	object.ForEach(func(name, value gjson.Result) bool {
		nothing = value.Type == gjson.Null || slices.Contains(names, name.Str)
		return nothing
	})
	return nothing
}

// saysSomething tells whether a value is there and says something.
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
	for i := range len(text) {
		if text[i] < ' ' || text[i] == '"' || text[i] == '\\' {
			return escaped(string(text))
		}
	}
	return `"` + string(text) + `"`
}

func escaped(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.Encode(text) // of a string never fails
	return strings.TrimSuffix(out.String(), "\n")
}

// oneLine: in JSON line ends stand between values only.
func oneLine(text string) string {
	if !strings.ContainsAny(text, "\r\n") {
		return text
	}
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(text)
}

// An edit replaces a stretch of a text.
type edit struct {
	at, end int
	text    string
}

// edited applies edits that don't overlap.
func edited(text string, edits []edit) string {
	slices.SortFunc(edits, func(a, b edit) int { return a.at - b.at })
	var out strings.Builder
	done := 0
	for _, edit := range edits {
		out.WriteString(text[done:edit.at])
		out.WriteString(edit.text)
		done = edit.end
	}
	out.WriteString(text[done:])
	return out.String()
}
