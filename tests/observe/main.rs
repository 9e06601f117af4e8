//! What those who observe a call are told.

mod documented;
mod events;
mod kept;
mod metrics;
mod model;
mod recorded;
mod replay;
mod scene;
mod testing;
mod threads;
mod timeline;
