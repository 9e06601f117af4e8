//! The service over gRPC: tonic in and out, with the messages of its health protocol.

use crate::options::Options;
use crate::storage::{self, Running};
use crate::{NEXT, THREE};
use retry_runtime::wire::{SendScope, ServerLayer};
use retry_runtime::{Error, retry};
use retry_wire_tests::log::Line;
use std::error::Error as StdError;
use std::pin::Pin;
use tokio::net::TcpListener;
use tonic::codegen::tokio_stream::{self, Stream};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, Status};
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

type Client = HealthClient<InterceptedService<Channel, SendScope>>;

struct Service {
    options: Options,
    next: Option<Client>,
}

pub async fn serve(
    listener: TcpListener,
    options: Options,
    scopes: ServerLayer,
) -> Result<(), Box<dyn StdError>> {
    let next = match &options.next {
        Some(next) => Some(Endpoint::from_shared(next.clone())?.connect_lazy()),
        None => None,
    };
    let next = next.map(|channel| HealthClient::with_interceptor(channel, SendScope));
    let service = HealthServer::new(Service { options, next });
    let server = Server::builder().layer(scopes).add_service(service);
    Ok(server.serve_with_incoming(TcpIncoming::from(listener)).await?)
}

#[tonic::async_trait]
impl Health for Service {
    async fn check(
        &self,
        _request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        let name = &self.options.name;
        println!("{}", Line::now(name, "asked"));
        let _running = Running(name);
        let done = match &self.next {
            Some(next) => call(next).await.map_err(|error| error.to_string()),
            None => storage::load(&self.options).await.map_err(|error| error.to_string()),
        };
        println!("{}", Line::now(name, "answered"));
        done.map_err(Status::unavailable)?;
        Ok(Response::new(HealthCheckResponse::default()))
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send>>;

    async fn watch(
        &self,
        _request: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        Ok(Response::new(Box::pin(tokio_stream::empty())))
    }
}

#[retry(policy = THREE, downstream = NEXT, idempotent)]
async fn call(next: &Client) -> Result<(), Error<Status>> {
    next.clone().check(HealthCheckRequest::default()).await?;
    Ok(())
}
