//! What becomes of a request, told from the errors of real sockets: not sent, refused or unknown.

use http::{HeaderMap, StatusCode};
use reqwest::{Client, redirect};
use retry_runtime::wire::{StatusError, class_of_status};
use retry_runtime::{Class, Classify, Delivery};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

/// RFC 6761: a name that nobody has.
const NOBODY: &str = "nobody.invalid:80";

/// Bound, and nobody listens.
fn closed() -> (SocketAddr, TcpSocket) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    (socket.local_addr().unwrap(), socket)
}

/// What a server does with a connection.
#[derive(Clone, Copy, Debug)]
enum Does {
    ResetUnread,
    Reset,
    Close,
    Answer(&'static str),
    Hang,
}

const CUT_IN_THE_HEAD: Does = Does::Answer("HTTP/1.1 201 Cre");
const CUT_IN_THE_BODY: Does = Does::Answer("HTTP/1.1 201 Created\r\ncontent-length: 9\r\n\r\nhalf");
const NOT_HTTP: Does = Does::Answer("hello\r\n\r\n");

/// Does that to every connection.
async fn server(does: Does) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(treat(stream, does));
        }
    });
    address
}

async fn treat(mut stream: TcpStream, does: Does) {
    let mut request = [0; 4096];
    if matches!(does, Does::ResetUnread) {
        // With bytes that nobody has read, closing is resetting.
        stream.peek(&mut request).await.unwrap();
        return;
    }
    // A client that gave up is no matter here.
    let _ = stream.read(&mut request).await;
    match does {
        Does::Reset => stream.set_zero_linger().unwrap(),
        Does::Answer(answer) => drop(stream.write_all(answer.as_bytes()).await),
        Does::Hang => std::future::pending().await,
        Does::ResetUnread | Does::Close => {}
    }
}

mod io {
    use super::*;
    use std::io::Result;

    async fn ask(address: SocketAddr) -> Result<()> {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(b"a request").await?;
        stream.read_exact(&mut [0]).await?;
        Ok(())
    }

    #[tokio::test]
    async fn without_a_connection_nothing_was_sent() {
        let (address, _closed) = closed();
        let refused = ask(address).await.unwrap_err();
        assert_eq!(refused.classify(), Class::TRANSIENT.not_sent());
        let unknown = TcpStream::connect(NOBODY).await.unwrap_err();
        assert_eq!(unknown.classify().delivery(), Delivery::NotSent, "{unknown:?}");
    }

    #[tokio::test]
    async fn a_connection_that_breaks_says_nothing_of_what_was_sent() {
        for does in [Does::ResetUnread, Does::Reset, Does::Close] {
            let error = ask(server(does).await).await.unwrap_err();
            assert_eq!(error.classify(), Class::TRANSIENT, "{does:?}: {error:?}");
        }
    }

    /// Errors that a connect gives, and a connection that was lost on its way, too: `tcp(7)` lists
    /// them as errors of a request that was sent.
    #[test]
    fn an_error_that_can_come_before_and_after_sending_is_unknown() {
        use std::io::{Error, ErrorKind};
        for kind in [
            ErrorKind::HostUnreachable,
            ErrorKind::NetworkUnreachable,
            ErrorKind::NetworkDown,
            ErrorKind::NotConnected,
            ErrorKind::TimedOut,
        ] {
            assert_eq!(Error::from(kind).classify(), Class::TRANSIENT, "{kind}");
        }
    }
}

mod reqwest_errors {
    use super::*;

    fn client() -> reqwest::ClientBuilder {
        Client::builder().no_proxy()
    }

    async fn post(client: &Client, url: &str) -> reqwest::Result<String> {
        client.post(url).body("a charge").send().await?.error_for_status()?.text().await
    }

    async fn class_of(does: Does) -> (Class, reqwest::Error) {
        let url = format!("http://{}", server(does).await);
        let client = client().timeout(Duration::from_millis(200)).build().unwrap();
        let error = post(&client, &url).await.unwrap_err();
        (error.classify(), error)
    }

    #[tokio::test]
    async fn without_a_connection_nothing_was_sent() {
        let (address, _closed) = closed();
        let client = client().build().unwrap();
        let refused = post(&client, &format!("http://{address}")).await.unwrap_err();
        assert_eq!(refused.classify(), Class::TRANSIENT.not_sent());
        let unknown = post(&client, &format!("http://{NOBODY}")).await.unwrap_err();
        assert_eq!(unknown.classify().delivery(), Delivery::NotSent, "{unknown:?}");
    }

    #[tokio::test]
    async fn a_connection_that_breaks_and_a_timeout_say_nothing_of_what_was_sent() {
        let breaks =
            [Does::ResetUnread, Does::Reset, Does::Close, CUT_IN_THE_HEAD, CUT_IN_THE_BODY];
        for does in breaks.into_iter().chain([Does::Hang]) {
            let (class, error) = class_of(does).await;
            assert_eq!(class, Class::TRANSIENT, "{does:?}: {error:?}");
        }
    }

    #[tokio::test]
    async fn an_answer_that_nobody_understands_is_unknown_too() {
        let (class, error) = class_of(NOT_HTTP).await;
        assert_eq!(class.delivery(), Delivery::Unknown, "{error:?}");
        let json = Does::Answer("HTTP/1.1 201 Created\r\ncontent-length: 4\r\n\r\nhalf");
        let url = format!("http://{}", server(json).await);
        let answer = client().build().unwrap().post(url).send().await.unwrap();
        let error = answer.json::<u32>().await.unwrap_err();
        assert_eq!(error.classify(), Class::PERMANENT, "{error:?}");
    }

    #[tokio::test]
    async fn a_request_that_cannot_be_made_is_not_sent() {
        let request = client().build().unwrap().post("http://127.0.0.1").header("a", "two\nlines");
        let error = request.send().await.unwrap_err();
        assert_eq!(error.classify(), Class::PERMANENT.not_sent());
    }

    #[tokio::test]
    async fn a_server_that_points_nowhere_after_the_write_leaves_it_unknown() {
        let away = Does::Answer(
            "HTTP/1.1 303 See Other\r\nlocation: gopher://nowhere\r\ncontent-length: 0\r\n\r\n",
        );
        let (class, error) = class_of(away).await;
        assert_eq!(class.delivery(), Delivery::Unknown, "{error:?}");
    }

    /// Why a client that sends writes must not follow redirects: nothing in the error tells that
    /// there was a first server, which did the write.
    #[tokio::test]
    async fn with_redirects_the_refusal_of_the_second_server_hides_what_the_first_one_did() {
        let (gone, _closed) = closed();
        let away = format!(
            "HTTP/1.1 303 See Other\r\nlocation: http://{gone}\r\ncontent-length: 0\r\n\r\n"
        );
        let (class, error) = class_of(Does::Answer(away.leak())).await;
        assert_eq!(class.delivery(), Delivery::NotSent, "{error:?}");
    }

    #[tokio::test]
    async fn without_redirects_a_server_that_points_away_after_the_write_leaves_it_unknown() {
        let away =
            Does::Answer("HTTP/1.1 303 See Other\r\nlocation: /done\r\ncontent-length: 0\r\n\r\n");
        let url = format!("http://{}", server(away).await);
        let client = client().redirect(redirect::Policy::none()).build().unwrap();
        let answer = client.post(url).send().await.unwrap();
        let error = StatusError::new(answer.status(), answer.headers(), b"");
        assert_eq!(error.classify(), Class::PERMANENT);
    }
}

mod statuses {
    use super::*;

    fn class(status: u16) -> Class {
        class_of_status(StatusCode::from_u16(status).unwrap(), &HeaderMap::new())
    }

    #[test]
    fn a_4xx_is_refused_unless_it_can_come_from_the_middle_of_the_work() {
        for status in (400..500).filter(|status| ![408, 499].contains(status)) {
            assert_eq!(class(status).delivery(), Delivery::Refused, "{status}");
        }
        assert_eq!((class(408), class(499)), (Class::TRANSIENT, Class::PERMANENT));
    }

    #[test]
    fn all_else_that_is_no_success_is_unknown() {
        for status in (100..200).chain(300..400).chain(500..1000) {
            assert_eq!(class(status).delivery(), Delivery::Unknown, "{status}");
        }
    }

    #[test]
    fn a_503_is_refused_only_where_the_server_says_that_it_did_not_look_at_it() {
        let with = |name: &'static str, value: &'static str| {
            let headers = HeaderMap::from_iter([(
                http::HeaderName::from_static(name),
                http::HeaderValue::from_static(value),
            )]);
            class_of_status(StatusCode::SERVICE_UNAVAILABLE, &headers).delivery()
        };
        assert_eq!(with("x-envoy-overloaded", "true"), Delivery::Refused);
        assert_eq!(with("x-envoy-overloaded", "false"), Delivery::Unknown);
        assert_eq!(with("retry-after", "1"), Delivery::Unknown);
    }
}

mod grpc {
    use super::*;
    use tonic::{Code, Status};

    async fn check(channel: Channel, service: &str) -> Status {
        let request = HealthCheckRequest { service: service.to_owned() };
        HealthClient::new(channel).check(request).await.unwrap_err()
    }

    fn endpoint(authority: &str) -> Endpoint {
        Endpoint::from_shared(format!("http://{authority}")).unwrap()
    }

    async fn healthy() -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (_, service) = tonic_health::server::health_reporter();
        let incoming = tonic::transport::server::TcpIncoming::from(listener);
        let server = tonic::transport::Server::builder().add_service(service);
        tokio::spawn(server.serve_with_incoming(incoming));
        address
    }

    #[tokio::test]
    async fn without_a_connection_nothing_was_sent() {
        let (address, _closed) = closed();
        let refused = check(endpoint(&address.to_string()).connect_lazy(), "").await;
        assert_eq!(refused.classify(), Class::TRANSIENT.not_sent(), "{refused:?}");
        let unknown = check(endpoint(NOBODY).connect_lazy(), "").await;
        assert_eq!(unknown.classify().delivery(), Delivery::NotSent, "{unknown:?}");
    }

    #[tokio::test]
    async fn a_connection_that_breaks_and_a_timeout_say_nothing_of_what_was_sent() {
        for does in [Does::ResetUnread, Does::Reset, Does::Close, NOT_HTTP, Does::Hang] {
            let address = server(does).await;
            let impatient = endpoint(&address.to_string()).timeout(Duration::from_millis(200));
            let status = check(impatient.connect_lazy(), "").await;
            assert_eq!(status.classify().delivery(), Delivery::Unknown, "{does:?}: {status:?}");
        }
    }

    #[tokio::test]
    async fn what_the_server_refuses_it_did_not_do() {
        let address = healthy().await;
        let channel = endpoint(&address.to_string()).connect_lazy();
        let status = check(channel, "no such service").await;
        assert_eq!(status.code(), Code::NotFound);
        assert_eq!(status.classify(), Class::PERMANENT.refused());
    }

    #[tokio::test]
    async fn an_answer_that_is_too_large_for_the_client_was_given_by_a_server_that_did_the_work() {
        let channel = endpoint(&healthy().await.to_string()).connect_lazy();
        let mut client = HealthClient::new(channel).max_decoding_message_size(1);
        let status = client.check(HealthCheckRequest::default()).await.unwrap_err();
        assert_eq!(status.code(), Code::OutOfRange, "{status:?}");
        assert_eq!(status.classify(), Class::PERMANENT);
    }

    #[test]
    fn a_code_is_refused_only_as_an_answer_of_the_server() {
        let refused = [
            Code::InvalidArgument,
            Code::NotFound,
            Code::AlreadyExists,
            Code::PermissionDenied,
            Code::ResourceExhausted,
            Code::FailedPrecondition,
            Code::Aborted,
            Code::OutOfRange,
            Code::Unimplemented,
            Code::Unauthenticated,
        ];
        for number in 1..=16 {
            let code = Code::from_i32(number);
            let mut status = Status::new(code, "");
            let expected =
                if refused.contains(&code) { Delivery::Refused } else { Delivery::Unknown };
            assert_eq!(status.classify().delivery(), expected, "{code:?}");
            // As of a stream that broke with an error code of HTTP/2.
            status.set_source(std::sync::Arc::new(std::fmt::Error));
            assert_eq!(status.classify().delivery(), Delivery::Unknown, "{code:?}");
        }
    }
}
