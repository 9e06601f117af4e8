//! Words put together at random.
