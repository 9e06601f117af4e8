//! The first build of what a user depends on.

use super::functions::runtime;
use super::project::Project;
use crate::statistics::{median, spread};
use crate::table::Table;
use std::error::Error;

const ROUNDS: usize = 3;

/// One dependency, built from nothing.
#[derive(Debug)]
pub(super) struct Cold {
    name: &'static str,
    crates: usize,
    seconds: Vec<f64>,
}

impl Cold {
    /// The median.
    pub(super) fn seconds(&self) -> f64 {
        median(&self.seconds)
    }
}

/// Of all that is measured; the first is this project's, the second what it is compared with.
pub(super) fn run() -> Result<Vec<Cold>, Box<dyn Error>> {
    let backon = "backon = { version = \"1.6\", default-features = false, features = [\"std\", \"tokio-sleep\"] }\n\
                  backon-macros = \"1\"\n";
    let mut measured = Vec::new();
    for (name, directory, dependencies) in [
        ("retry-runtime", "cold-retry", runtime()),
        ("backon and backon-macros", "cold-backon", backon.to_owned()),
    ] {
        let project = Project::write(directory, &dependencies, "")?;
        // So that nothing is fetched while it is measured.
        let crates = project.crates()?;
        measured.push((project, Cold { name, crates, seconds: Vec::new() }));
    }
    for _ in 0..ROUNDS {
        for (project, cold) in &mut measured {
            cold.seconds.push(project.build_from_nothing()?);
        }
    }
    Ok(measured.into_iter().map(|(_, cold)| cold).collect())
}

pub(super) fn table(cold: &[Cold]) -> Table {
    let mut table = Table::new(["dependency", "crates", "CPU, s", "fastest to slowest"]);
    for one in cold {
        let Cold { name, crates, seconds } = one;
        let (fastest, slowest) = spread(seconds);
        table.push(vec![
            (*name).to_owned(),
            crates.to_string(),
            format!("{:.1}", one.seconds()),
            format!("{fastest:.1} to {slowest:.1}"),
        ]);
    }
    table
}
