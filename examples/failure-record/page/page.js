// Sends the form to the server and shows what it answers. Nothing is computed here.

const form = document.querySelector("#record");
const status = document.querySelector("#status");
const main = document.querySelector("main");

/** How long the form rests before it is sent, in milliseconds. */
const REST = 150;

/** The request that is on its way; a newer one takes its place. */
let asking = new AbortController();
let resting;

function fields() {
  return [...form.elements].filter((element) => element.name);
}

/** Asks for the record with these fields. With `fill`, writes the answer's fields into the form. */
async function show(query, { fill = false } = {}) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  main.ariaBusy = "true";
  const wanted = new URLSearchParams(query);
  wanted.set("width", Math.round(main.clientWidth));
  try {
    const response = await fetch(`anatomy?${wanted}`, { signal });
    const answer = await response.json();
    if (fill) {
      fillForm(query, answer.fields ?? (await defaults(signal)));
    }
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
  main.ariaBusy = "true";
  const query = new URLSearchParams(new FormData(form)).toString();
  history.replaceState(null, "", `?${query}`);
  document.querySelector("#link").href = `?${query}`;
  clearTimeout(resting);
  resting = setTimeout(show, REST, query);
}

form.addEventListener("input", changed);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  changed();
});

// Pictures are drawn for the width of the page.
let width = main.clientWidth;
addEventListener("resize", () => {
  if (main.clientWidth === width) return;
  width = main.clientWidth;
  changed();
});

document.querySelector("#link").href = location.search || "/";
show(location.search, { fill: true });
