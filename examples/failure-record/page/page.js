// Sends the form to the server and shows what it answers. Nothing is computed here.

const form = document.querySelector("#record");
const status = document.querySelector("#status");
const main = document.querySelector("main");

/** How long the form rests before it is sent, in milliseconds. */
const REST = 150;

/** The request that is on its way; a newer one takes its place. */
let asking = new AbortController();
let resting;

/** The recorded trace that is shown, if it is no record. */
let lines;

function fields() {
  return [...form.elements].filter((element) => element.name);
}

/** Asks the server and shows its answer. What is asked later takes the place of what was before. */
async function ask(path, query, options, use = () => {}) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  main.ariaBusy = "true";
  const wanted = new URLSearchParams(query);
  wanted.set("width", Math.round(main.clientWidth));
  try {
    const response = await fetch(`${path}?${wanted}`, { ...options, signal });
    const isJson = response.headers.get("content-type")?.includes("json");
    const answer = isJson ? await response.json() : { message: await response.text() };
    await use(answer, signal);
    showErrors(answer.errors ?? []);
    if (response.ok) {
      showAnswer(answer);
    } else {
      status.textContent = `Nothing computed: ${answer.message}.`;
    }
    main.classList.toggle("stale", !response.ok);
  } catch (error) {
    if (signal.aborted) return;
    status.textContent = "The server does not answer. Is it still running?";
    main.classList.add("stale");
  }
  main.ariaBusy = "false";
}

/** The record with these fields. */
function showRecord(query) {
  return ask("anatomy", query);
}

/** The record that the address of the page carries, which fills the form. */
function showAddress() {
  return ask("anatomy", location.search, {}, async (answer, signal) => {
    fillForm(location.search, answer.fields ?? (await defaults(signal)));
  });
}

/** Calls that really happened. */
function showTrace() {
  clearTimeout(resting);
  return ask("trace", "", { method: "POST", body: lines });
}

async function defaults(signal) {
  const response = await fetch("anatomy", { signal });
  return (await response.json()).fields;
}

/** What the link says, wrong or not, and the server's word for everything else. */
function fillForm(query, known) {
  const written = new URLSearchParams(query);
  for (const field of fields()) {
    field.value = written.get(field.name) ?? known[field.name];
  }
}

function showErrors(errors) {
  for (const field of fields()) {
    const place = field.closest(".field");
    place.querySelector(".error")?.remove();
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
    const error = errors.find((error) => error.field === field.name);
    if (!error) continue;
    const message = document.createElement("p");
    message.className = "error";
    message.id = `${field.id}-error`;
    message.textContent = error.message;
    place.append(message);
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", message.id);
  }
}

function showAnswer(answer) {
  showTable(document.querySelector("#numbers"), answer.table);
  const warnings = answer.warnings.map((warning) => {
    const item = document.createElement("li");
    item.textContent = warning;
    return item;
  });
  document.querySelector("#warnings").replaceChildren(...warnings);
  // Pictures come from our own server, which escapes every text in them.
  document.querySelector("#calls").innerHTML = answer.calls;
  document.querySelector("#loads").innerHTML = answer.loads;
  status.textContent = "";
}

function showTable(table, { head, rows }) {
  const row = (cells, first, others) => {
    const line = document.createElement("tr");
    for (const [at, text] of cells.entries()) {
      const cell = document.createElement(at === 0 ? first : others);
      if (cell.tagName === "TH") cell.scope = first === others ? "col" : "row";
      cell.textContent = text;
      line.append(cell);
    }
    return line;
  };
  const top = document.createElement("thead");
  const body = document.createElement("tbody");
  top.append(row(head, "th", "th"));
  body.append(...rows.map((cells) => row(cells, "th", "td")));
  table.replaceChildren(top, body);
}

/** The form has changed: the address and the link carry it, and the server is asked. */
function changed() {
  trace.value = "";
  lines = undefined;
  main.ariaBusy = "true";
  const query = new URLSearchParams(new FormData(form)).toString();
  history.replaceState(null, "", `?${query}`);
  document.querySelector("#link").href = `?${query}`;
  clearTimeout(resting);
  resting = setTimeout(showRecord, REST, query);
}

const trace = document.querySelector("#trace");

form.addEventListener("input", (event) => {
  if (event.target !== trace) changed();
});
// The same file may be chosen again when it has changed.
trace.addEventListener("click", () => {
  trace.value = "";
});
trace.addEventListener("change", async () => {
  if (trace.files.length === 0) return;
  lines = await trace.files[0].text();
  showTrace();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  changed();
});

// Pictures are drawn for the width of the page.
let width = main.clientWidth;
addEventListener("resize", () => {
  if (main.clientWidth === width) return;
  width = main.clientWidth;
  if (lines === undefined) changed();
  else showTrace();
});

document.querySelector("#link").href = location.search || "/";
showAddress();
