#![deny(warnings)]

#[no_implicit_prelude]
pub mod bare {
    pub mod core {}
    pub struct Option;
    pub struct Some;
    pub struct Ok;
    pub struct Err;
    pub struct Send;
    pub type Result = ::std::result::Result<Some, ::kit::E>;

    #[::kit::retry(policy = ::kit::P, idempotent)]
    pub async fn get(_: Option, _: Ok, _: Err, _: Send) -> Result {
        ::kit::down(1).await?;
        ::std::result::Result::Ok(Some)
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    use bare::get;
    kit::script([Err(kit::E(1)), Ok(7)]);
    assert!(get(bare::Option, bare::Ok, bare::Err, bare::Send).await.is_ok());
    assert_eq!(kit::calls(), [1, 1]);
}
