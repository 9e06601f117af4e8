//! The root id as it is written: sixteen hexadecimal digits, and never all zero.

pub(crate) fn write(root: u64) -> String {
    format!("{root:016x}")
}

pub(crate) fn read(text: &str) -> Option<u64> {
    let is_hex = text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let root = is_hex.then(|| u64::from_str_radix(text, 16).ok()).flatten()?;
    (root != 0).then_some(root)
}
