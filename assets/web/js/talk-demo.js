// The page on which a scenario is talked to with an API key: its choice, and the line through the API.
import { ServiceError } from "./api.js";
import { byId, make } from "./dom.js";
import { askForKey, currentKey, startKey } from "./key.js";
import { openRoom, Talk } from "./talk-room.js";
import { startTheme } from "./theme.js";
import { hideTrouble, tellError } from "./trouble.js";

const list = byId("talk-choice");
const room = byId("talk");
let chosen = null; // {scenario, draft}

/** What the API answers, or a ServiceError. */
async function ask(path) {
  const response = await fetch(path, { headers: { Authorization: `Bearer ${currentKey()}` }, credentials: "omit" });
  if (response.ok) return response.json();
  const answer = await response.json().catch(() => ({}));
  throw new ServiceError(response.status, {
    detail: answer.error?.message,
    requestId: response.headers.get("x-request-id") ?? "",
    retryAfter: Number(response.headers.get("retry-after")) || 0,
  });
}

function fail(error) {
  if (error.status === 401) askForKey({ wrong: true });
  tellError(error);
}

const labelOf = (of, otherwise) => {
  const { label } = of;
  return (typeof label === "string" ? label : label?.[document.documentElement.lang]) || otherwise;
};

class KeyTalk extends Talk {
  address() {
    const url = new URL(room.dataset.line.replace("{id}", encodeURIComponent(chosen.scenario.id)), location.href);
    if (chosen.draft) url.searchParams.set("draft", "true");
    const values = typedValues(chosen.scenario.variables ?? []);
    if (Object.keys(values).length) url.searchParams.set("variables", JSON.stringify(values));
    return url;
  }

  protocols() {
    return ["munadi-talk", `openai-insecure-api-key.${currentKey()}`];
  }

  async begin() {
    hideTrouble();
    if (currentKey() && chosen) return super.begin();
    askForKey();
  }

  /** A WebSocket says nothing about its refusal; the same request without an upgrade does. */
  async refused() {
    const upgradeRequired = 426;
    await ask(this.address()).catch((error) => error.status !== upgradeRequired && fail(error));
  }
}

function typedValues(variables) {
  const values = {};
  for (const { name, type } of variables) {
    const text = byId(`value-${name}`).value.trim();
    if (text) values[name] = type === "number" ? Number(text) : text;
  }
  return values;
}

function choose(button, choice) {
  for (const other of list.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
  chosen = choice;
  const { steps, variables = [] } = choice.scenario;
  byId("talk-script").replaceChildren(...steps.map((step) => {
    const item = make("li", { "data-step": step.id });
    item.append(make("bdi", { text: labelOf(step, step.id) }));
    return item;
  }));
  byId("talk-slots").replaceChildren(...steps.filter((step) => step.slot).map(({ slot }) => {
    const row = make("div");
    const [name, value] = [make("dt"), make("dd")];
    name.append(make("bdi", { text: labelOf(slot, slot.name) }));
    value.append(make("bdi", { text: "—", "data-slot": slot.name }));
    row.append(name, value);
    return row;
  }));
  byId("talk-values").hidden = variables.length === 0;
  byId("talk-fields").replaceChildren(...variables.flatMap((variable) => [
    make("label", { text: labelOf(variable, variable.name), for: `value-${variable.name}`, dir: "auto" }),
    make("input", { id: `value-${variable.name}`, placeholder: variable.default ?? "", dir: "auto", autocomplete: "off" }),
  ]));
}

/** A scenario's buttons: the published version, and the draft where there is one. */
function choices(scenario) {
  const drafted = scenario.status === "draft";
  const published = !drafted || scenario.published_version !== null;
  return [false, true].filter((draft) => (draft ? drafted : published)).map((draft) => {
    const button = make("button", { className: "button", type: "button", "aria-pressed": "false" });
    button.append(make("bdi", { text: scenario.name }));
    if (draft) button.append(" ", make("small", { text: `(${list.dataset.draft})` }));
    button.addEventListener("click", () => choose(button, { scenario, draft }));
    const item = make("li");
    item.append(button);
    return item;
  });
}

async function load() {
  hideTrouble();
  const { data } = await ask("/api/v1/scenarios");
  list.replaceChildren(...data.flatMap(choices));
  byId("talk-none").hidden = data.length > 0;
  if (!data.length) byId("talk-none").textContent = list.dataset.none;
  list.querySelector("button")?.click();
}

const show = () => load().catch(fail);

function forget() {
  chosen = null;
  list.replaceChildren();
}

startTheme();
startKey(show, forget);
openRoom(() => new KeyTalk());
if (currentKey()) show();
