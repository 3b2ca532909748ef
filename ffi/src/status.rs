//! What a call reports.

/// What a call came to: 0 and up is progress, below 0 an error. After an error nothing has changed, and outputs hold
/// 0 or NULL.
pub type harmony_status = i32;

/// Done.
pub const HARMONY_OK: harmony_status = 0;
/// Done, but not all events (or signals) found room in the array. harmony_stream_drain gives the rest.
pub const HARMONY_MORE: harmony_status = 1;
/// Done, and there is no such value: no object in the answer, no recovery for the call.
pub const HARMONY_NONE: harmony_status = 2;
/// There is no such value although a grammar was applied: the answer was cut. Only from pickers.
pub const HARMONY_CUT: harmony_status = 3;
/// A pointer that must not be NULL is NULL.
pub const HARMONY_E_NULL: harmony_status = -1;
/// A number that means nothing here, or a `size` that this library can't serve.
pub const HARMONY_E_ARGUMENT: harmony_status = -2;
/// The stream is finished; only harmony_stream_reset makes it usable again.
pub const HARMONY_E_FINISHED: harmony_status = -3;
/// Not with this `input` option: a control token was pushed though they are read from the text, or a whole text was
/// to be parsed though they come as tokens.
pub const HARMONY_E_INPUT: harmony_status = -4;
/// The text would pass `max_bytes`.
pub const HARMONY_E_LIMIT: harmony_status = -5;
/// The text is not UTF-8. Only where a function says so.
pub const HARMONY_E_UTF8: harmony_status = -6;
/// A bug in this library. The handle is of no use any more, except to be freed.
pub const HARMONY_E_PANIC: harmony_status = -100;

/// A result, its error a status below 0.
pub(crate) type Outcome<T = harmony_status> = Result<T, harmony_status>;

/// The status of a core error.
pub(crate) fn failed(error: harmony::Error) -> harmony_status {
    match error {
        harmony::Error::Finished => HARMONY_E_FINISHED,
        harmony::Error::NotTokens => HARMONY_E_INPUT,
        harmony::Error::Limit { .. } => HARMONY_E_LIMIT,
        _ => HARMONY_E_ARGUMENT,
    }
}
