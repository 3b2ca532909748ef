//! Which of several recipients counts: that of the last slot and its constraint, then of earlier slots backwards, the
//! role's last; one behind `<|constrain|>` with `Routing::AnyRecipient` only.

use harmony_stream::{Options, Policy, Routing, parse_with};

fn recipient(header: &str, routing: Routing) -> String {
    let text = format!("{header}<|message|>{{}}<|call|>");
    let options = Options::default().policy(Policy::Recover).routing(routing);
    let parsed = parse_with(&text[..], options);
    let mut names = parsed.tool_calls.iter().map(|call| call.name.to_string());
    names.next().unwrap_or_default()
}

#[test]
fn the_last_slot_counts_and_the_role_last() {
    for (header, any, function) in [
        ("<|channel|>commentary to=functions.a", "a", "a"),
        ("<|channel|>commentary functions.a", "a", ""),
        ("<|channel|>commentary functions.-a", "", ""),
        ("<|channel|>analysis to=functions.a<|channel|>commentary to=functions.b", "b", "b"),
        ("<|channel|>commentary to=functions.a<|channel|>commentary", "a", "a"),
        ("<|channel|>commentary to=functions.a<|constrain|>json to=functions.b", "a", "a"),
        ("<|channel|>commentary<|constrain|>json to=functions.b", "b", ""),
        ("<|start|>assistant to=functions.a<|channel|>commentary", "a", "a"),
        ("<|start|>assistant to=functions.a<|channel|>commentary to=functions.b", "b", "b"),
        ("<|start|>assistant to=functions.a<|channel|>commentary<|constrain|>json to=functions.b", "b", "a"),
        ("<|start|>assistant to=functions.a<|constrain|>json to=functions.b", "b", ""),
        ("<|start|>assistant<|constrain|>json to=functions.b<|channel|>commentary to=functions.c", "c", "c"),
        ("<|start|>assistant to=functions.a<|constrain|>json to=functions.b<|channel|>commentary", "b", "a"),
    ] {
        assert_eq!(recipient(header, Routing::AnyRecipient), any, "{header}");
        assert_eq!(recipient(header, Routing::CommentaryFunctions), function, "{header}");
    }
}
