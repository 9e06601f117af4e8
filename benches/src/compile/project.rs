//! A crate that is written to be compiled.

use crate::cpu;
use std::env::var_os;
use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// A crate in the target directory, outside of every workspace.
#[derive(Debug)]
pub(super) struct Project(PathBuf);

/// Whether the compiler may use what it knows from the last time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Incremental {
    Yes,
    No,
}

impl Project {
    pub(super) fn write(
        name: &str,
        dependencies: &str,
        source: &str,
    ) -> Result<Self, Box<dyn Error>> {
        let directory = root().join(name);
        fs::create_dir_all(directory.join("src"))?;
        let manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n{dependencies}"
        );
        fs::write(directory.join("Cargo.toml"), manifest)?;
        fs::write(directory.join("src/lib.rs"), source)?;
        Ok(Self(directory))
    }

    /// Checks it as if its source had changed. Seconds of the processors.
    pub(super) fn check(&self, incremental: Incremental) -> Result<f64, Box<dyn Error>> {
        File::options()
            .append(true)
            .open(self.0.join("src/lib.rs"))?
            .set_modified(SystemTime::now())?;
        let (target, flag) = match incremental {
            Incremental::Yes => ("incremental", "1"),
            Incremental::No => ("full", "0"),
        };
        let mut check = self.cargo();
        // What the contenders have in common is built once.
        check.arg("check").arg("--target-dir").arg(root().join(target));
        seconds(check.env("CARGO_INCREMENTAL", flag))
    }

    /// Builds it and all that it needs, from nothing. Seconds of the processors.
    pub(super) fn build_from_nothing(&self) -> Result<f64, Box<dyn Error>> {
        let target = self.0.join("target");
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
        let mut build = self.cargo();
        build.arg("build").arg("--target-dir").arg(target);
        // As what comes from a registry is always built, for crates that are here by path.
        seconds(build.env("CARGO_INCREMENTAL", "0"))
    }

    /// How many crates it depends on.
    pub(super) fn crates(&self) -> Result<usize, Box<dyn Error>> {
        let arguments = ["tree", "--edges", "normal,build", "--prefix", "none", "--no-dedupe"];
        let output = self.cargo().args(arguments).args(["--format", "{p}"]).output()?;
        let mut crates: Vec<&str> = std::str::from_utf8(&output.stdout)?.lines().skip(1).collect();
        crates.sort_unstable();
        crates.dedup();
        Ok(crates.len())
    }

    fn cargo(&self) -> Command {
        let mut cargo = Command::new(var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&self.0);
        // The settings of whoever runs this are not those of a user.
        for setting in ["RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CARGO_PROFILE_DEV_DEBUG"] {
            cargo.env_remove(setting);
        }
        cargo
    }
}

fn seconds(cargo: &mut Command) -> Result<f64, Box<dyn Error>> {
    let began = cpu::of_children();
    let output = cargo.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(cpu::of_children().saturating_sub(began).as_secs_f64())
}

/// Beside what cargo builds.
fn root() -> PathBuf {
    let target = var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"));
    target.join("compile-time")
}
