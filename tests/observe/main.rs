//! What those who observe a call are told.

mod events;
mod kept;
