//! Where a message of HTTP/1.1 ends, for one that says its length.

use std::io;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

/// The header by which the proxy knows a request.
pub const ID: &str = "x-request";

/// What the proxy has to know of a request.
pub struct Head {
    /// The value of [`ID`].
    pub id: String,
    /// How many bytes the whole request has.
    pub length: usize,
}

const MOST_HEADERS: usize = 32;

impl Head {
    /// None while the head is not complete.
    pub fn of_request(bytes: &[u8]) -> io::Result<Option<Self>> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let parsed = request.parse(bytes).map_err(io::Error::other)?;
        let httparse::Status::Complete(end) = parsed else { return Ok(None) };
        let id = value(request.headers, ID).unwrap_or_default().to_owned();
        Ok(Some(Self { id, length: end + content_length(request.headers) }))
    }
}

/// Reads a whole answer.
pub async fn read_answer(bank: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while answer_length(&bytes)?.is_none_or(|length| bytes.len() < length) {
        if bank.read_buf(&mut bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(bytes)
}

fn answer_length(bytes: &[u8]) -> io::Result<Option<usize>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut answer = httparse::Response::new(&mut headers);
    let parsed = answer.parse(bytes).map_err(io::Error::other)?;
    let httparse::Status::Complete(end) = parsed else { return Ok(None) };
    Ok(Some(end + content_length(answer.headers)))
}

fn content_length(headers: &[httparse::Header<'_>]) -> usize {
    value(headers, "content-length").and_then(|length| length.parse().ok()).unwrap_or_default()
}

fn value<'h>(headers: &[httparse::Header<'h>], name: &str) -> Option<&'h str> {
    let header = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
    std::str::from_utf8(header.value).ok()
}

/// The beginning of a message.
pub struct Part<'b>(&'b [u8]);

impl<'b> Part<'b> {
    pub fn of(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    /// One byte at least; all of them from a share of three quarters on.
    pub fn up_to_all(self, share: f64) -> &'b [u8] {
        &self.0[..self.bytes(share / 0.75).min(self.0.len())]
    }

    /// One byte at least, and at least one is missing.
    pub fn less_than_all(self, share: f64) -> &'b [u8] {
        &self.0[..self.bytes(share).min(self.0.len() - 1)]
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a share of a length is a length"
    )]
    fn bytes(&self, share: f64) -> usize {
        (self.0.len() as f64 * share).ceil().max(1.0) as usize
    }
}
