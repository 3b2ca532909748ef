//! JSON objects whose untouched members stay as they were written: numbers, escapes and order included.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// An object as a list of members, each the JSON text of its name and of its value.
///
/// A member is found by its name as JSON usually spells it; one that spells it with escapes (`"\u0069d"`) is left
/// alone like any unknown member.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object<'a> {
    members: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> Object<'a> {
    /// The JSON text of a member as it was read; of the last one if the name is doubled.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        match self.members.iter().rev().find(|(key, _)| is(key, name)) {
            Some((_, Cow::Borrowed(value))) => Some(value),
            _ => None,
        }
    }

    /// The value of a member as it was read, if it is one of this type.
    pub(crate) fn parse<T: Deserialize<'a>>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// Whether a member is there and says something: not null, and no empty string, list or object.
    pub(crate) fn says(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| !matches!(value, "null" | "\"\"" | "[]" | "{}"))
    }

    /// The text of a member that is a string, else none; `None`: a string that is no Unicode (`"\\ud83d"`).
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        match self.get(name) {
            Some(value) if value.starts_with('"') => serde_json::from_str(value).ok(),
            _ => Some(String::new()),
        }
    }

    /// Whether every member but `others` is null.
    pub(crate) fn only(&self, others: &[&str]) -> bool {
        self.members.iter().all(|(key, value)| value == "null" || others.iter().any(|other| is(key, other)))
    }

    /// Gives a member another JSON text; a new one comes last.
    pub(crate) fn set(&mut self, name: &str, value: String) {
        match self.members.iter_mut().rev().find(|(key, _)| is(key, name)) {
            Some((_, old)) => *old = Cow::Owned(value),
            None => self.members.push((Cow::Owned(quoted(name)), Cow::Owned(value))),
        }
    }

    /// Takes a member out, and says what its JSON text was.
    pub(crate) fn take(&mut self, name: &str) -> Option<Cow<'a, str>> {
        let mut taken = None;
        self.members.retain_mut(|(key, value)| {
            let found = is(key, name);
            if found {
                taken = Some(core::mem::take(value));
            }
            !found
        });
        taken
    }

    /// Only those members, in their own order.
    pub(crate) fn pick(&self, names: &[&str]) -> Object<'a> {
        let wanted = |key: &str| names.iter().any(|name| is(key, name));
        Object { members: self.members.iter().filter(|(key, _)| wanted(key)).cloned().collect() }
    }

    /// The whole object as JSON.
    pub(crate) fn json(&self) -> String {
        let mut json = String::from("{");
        for (n, (key, value)) in self.members.iter().enumerate() {
            if n > 0 {
                json.push(',');
            }
            json.push_str(key);
            json.push(':');
            json.push_str(value);
        }
        json.push('}');
        json
    }
}

fn is(key: &str, name: &str) -> bool {
    key.strip_prefix('"').and_then(|key| key.strip_suffix('"')) == Some(name)
}

/// The JSON text of a string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("every string has a JSON text")
}

/// The JSON text of a list of JSON texts.
pub(crate) fn list(items: &[String]) -> String {
    let mut json = String::from("[");
    json.push_str(&items.join(","));
    json.push(']');
    json
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<'de>, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                    members.push((Cow::Borrowed(key.get()), Cow::Borrowed(value.get())));
                }
                Ok(Object { members })
            }
        }

        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(json: &str) -> Object<'_> {
        serde_json::from_str(json).expect(json)
    }

    #[test]
    fn untouched_members_keep_their_spelling() {
        let mut read =
            object(r#" {"b": 1.50e+2, "a\u0062": "\u00e9", "content":null , "n":123456789012345678901}"#);
        read.set("content", quoted("x\n"));
        read.set("new", list(&["1".into(), "{}".into()]));
        let json =
            r#"{"b":1.50e+2,"a\u0062":"\u00e9","content":"x\n","n":123456789012345678901,"new":[1,{}]}"#;
        assert_eq!(read.json(), json);
    }

    #[test]
    fn a_doubled_member_is_its_last_and_goes_as_one() {
        let mut read = object(r#"{"a":1,"b":2,"a":3}"#);
        assert_eq!(read.get("a"), Some("3"));
        assert_eq!(read.take("a").as_deref(), Some("3"));
        assert_eq!(read.json(), r#"{"b":2}"#);
    }

    #[test]
    fn text_is_unicode_or_nothing() {
        let read = object(r#"{"a":"\u0041","b":"\ud83d","c":["x"],"d":null}"#);
        let texts = ["a", "b", "c", "d", "e"].map(|name| read.text(name));
        assert_eq!(texts, [Some("A".into()), None, Some("".into()), Some("".into()), Some("".into())]);
    }

    #[test]
    fn only_objects_are_objects() {
        for json in ["", "null", "[]", "{", "{}x", "{\"a\":}", "\u{feff}{}"] {
            assert!(serde_json::from_str::<Object<'_>>(json).is_err(), "{json}");
        }
        assert_eq!(object("{ }").json(), "{}");
    }
}
