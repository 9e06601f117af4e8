//! A headless Chromium, driven from outside.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write, stderr};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::time::Duration;
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// What the program is called, on Debian and elsewhere.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// An answer that takes longer never comes.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser without a window, and its one tab. Both end with it.
pub(crate) struct Chromium {
    process: Child,
    _profile: TempDir,
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    asked: u64,
    /// What the tab complained about.
    pub(crate) complaints: Vec<String>,
    /// What the tab fetched.
    pub(crate) fetched: Vec<String>,
}

fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let candidates =
        std::env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    candidates.into_iter().find(|candidate| candidate.is_file())
}

/// A browser, or none where none is installed, which is said once.
pub(crate) fn start() -> Option<Chromium> {
    static SAID: Once = Once::new();
    let Some(program) = program() else {
        // Printed past the harness, which shows nothing of a test that passes.
        SAID.call_once(|| {
            let _ = writeln!(stderr(), "left out: the page in a browser, as there is no Chromium");
        });
        return None;
    };
    Some(Chromium::start(&program))
}

impl Chromium {
    fn start(program: &PathBuf) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut process = Command::new(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
            .args(["--disable-component-update", "--hide-scrollbars", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let url = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned))
            .expect("Chromium says where it listens");
        // Nobody reads on, but a full pipe would hold it up.
        std::thread::spawn(move || lines.for_each(drop));
        let address = url.trim_start_matches("ws://").split('/').next().unwrap();
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(url.as_str(), stream).unwrap();
        let mut chromium = Self {
            process,
            _profile: profile,
            socket,
            session: None,
            asked: 0,
            complaints: Vec::new(),
            fetched: Vec::new(),
        };
        chromium.attach();
        chromium
    }

    fn attach(&mut self) {
        let tab = self.ask("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": tab["targetId"], "flatten": true });
        let session = self.ask("Target.attachToTarget", &attach);
        self.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.ask(&format!("{domain}.enable"), &json!({}));
        }
    }

    /// Asks, and waits for the answer.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let mut question = json!({ "id": self.asked, "method": method, "params": params });
        if let Some(session) = &self.session {
            question["sessionId"] = session.as_str().into();
        }
        self.socket.send(Message::text(question.to_string())).unwrap();
        loop {
            let message = self.socket.read().unwrap_or_else(|error| panic!("{method}: {error}"));
            let Message::Text(text) = message else { continue };
            let mut answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == self.asked {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        match event["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                self.fetched.extend(params["request"]["url"].as_str().map(str::to_owned));
            }
            Some("Runtime.exceptionThrown") => {
                self.complaints.push(params["exceptionDetails"].to_string());
            }
            Some("Runtime.consoleAPICalled") => self.complaints.push(params["args"].to_string()),
            Some("Log.entryAdded") => self.complaints.push(params["entry"]["text"].to_string()),
            _ => {}
        }
    }

    /// What this JavaScript comes to.
    pub(crate) fn evaluate(&mut self, script: &str) -> Value {
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let mut answer = self.ask("Runtime.evaluate", &params);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    /// Waits until this JavaScript comes to something, and gives it.
    pub(crate) fn wait_for(&mut self, script: &str) -> Value {
        let patience = PATIENCE.as_millis() / 2;
        self.evaluate(&format!(
            "new Promise((found, lost) => {{
                const from = performance.now();
                const look = () => {{
                    const value = {script};
                    if (value) found(value);
                    else if (performance.now() - from > {patience}) lost('never: ' + {quoted});
                    else setTimeout(look, 10);
                }};
                look();
            }})",
            quoted = json!(script),
        ))
    }

    /// Presses and releases a key: a character, or the name of a key.
    pub(crate) fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "ArrowDown" => (40, ""),
            character => (0, character),
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let params = json!({
                "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code,
            });
            self.ask("Input.dispatchKeyEvent", &params);
        }
    }

    /// Types a text, key by key.
    pub(crate) fn type_text(&mut self, text: &str) {
        for character in text.chars() {
            self.press(&character.to_string());
        }
    }

    /// Chooses a file in this input.
    pub(crate) fn choose(&mut self, input: &str, file: &str) {
        let document = self.ask("DOM.getDocument", &json!({}));
        let query = json!({ "nodeId": document["root"]["nodeId"], "selector": input });
        let node = self.ask("DOM.querySelector", &query);
        let files = json!({ "nodeId": node["nodeId"], "files": [file] });
        self.ask("DOM.setFileInputFiles", &files);
    }

    /// Makes the tab this large; a phone is a small one that is touched.
    pub(crate) fn resize(&mut self, width: u32, height: u32, phone: bool) {
        let params = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone,
        });
        self.ask("Emulation.setDeviceMetricsOverride", &params);
    }

    /// Prefers `light` or `dark`.
    pub(crate) fn prefer(&mut self, scheme: &str) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.ask("Emulation.setEmulatedMedia", &json!({ "features": [feature] }));
    }

    /// The whole page as PNG.
    pub(crate) fn screenshot(&mut self) -> Vec<u8> {
        let params = json!({ "format": "png", "captureBeyondViewport": true });
        let answer = self.ask("Page.captureScreenshot", &params);
        data_encoding::BASE64.decode(answer["data"].as_str().unwrap().as_bytes()).unwrap()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
