//! What those who observe a call are told.

mod events;
mod kept;
mod metrics;
mod model;
mod recorded;
mod replay;
mod scene;
mod timeline;
