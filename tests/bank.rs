//! A bank that answers as it is told, for the README's example.

use retry_runtime::Classify;
use std::cell::RefCell;
use std::collections::VecDeque;

/// The answers to come, and the keys that were sent.
#[derive(Default)]
pub struct Bank {
    answers: RefCell<VecDeque<Result<Reply, PayError>>>,
    keys: RefCell<Vec<String>>,
}

/// What to charge for, and the key that ties all attempts together.
pub struct Order {
    pub key: String,
    pub cents: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Receipt(pub u64);

#[derive(Clone, Debug)]
pub struct Reply(pub Option<Receipt>);

impl Reply {
    pub fn receipt(self) -> Option<Receipt> {
        self.0
    }
}

#[derive(Clone, Debug, PartialEq, thiserror::Error, Classify)]
pub enum PayError {
    #[error("the connection was lost")]
    #[classify(transient)]
    Lost,
    #[error("the bank refused")]
    #[classify(permanent, refused)]
    Refused,
}

impl Bank {
    pub fn that_answers(answers: impl IntoIterator<Item = Result<Reply, PayError>>) -> Self {
        Self { answers: RefCell::new(answers.into_iter().collect()), keys: RefCell::default() }
    }

    pub async fn post(&self, _path: &str, key: &str, cents: u64) -> Result<Reply, PayError> {
        self.keys.borrow_mut().push(key.to_owned());
        let answer = self.answers.borrow_mut().pop_front();
        answer.unwrap_or(Ok(Reply(Some(Receipt(cents)))))
    }

    pub fn keys(&self) -> Vec<String> {
        self.keys.borrow().clone()
    }
}
