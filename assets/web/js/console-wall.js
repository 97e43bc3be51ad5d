// The wall of running calls: cards appear and disappear with their calls, words as they are spoken; one call can be heard
// at a time.
import { byId, clock } from "./dom.js";
import { listening } from "./console-call-listen.js";

const wall = byId("wall");
const turns = 2;
let due = 0;

const card = (id) => wall.querySelector(`[data-id="${CSS.escape(id)}"]`);

function prepare() {
  for (const button of wall.querySelectorAll("[data-listen]:not([data-ready])")) {
    button.dataset.ready = "";
    listening(button);
    button.addEventListener("click", () => {
      for (const other of wall.querySelectorAll('[aria-pressed="true"]')) if (other !== button) other.click();
    });
  }
}

// At a change of state the page is fetched. Cards of calls that continue stay, since one of them may be playing.
async function refresh() {
  due = 0;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("wall");
  if (!fresh) return;
  for (const item of fresh.querySelectorAll("[data-id]")) {
    const ours = card(item.dataset.id);
    if (ours && ours.dataset.status === item.dataset.status) item.replaceWith(ours);
  }
  wall.replaceChildren(...fresh.children);
  prepare();
}

function say({ id, role, content }) {
  const lines = card(id)?.querySelector(".wall-turns");
  if (!lines) return;
  const line = byId("turn").content.firstElementChild.cloneNode(true);
  line.classList.add(role);
  line.textContent = content;
  lines.append(line);
  while (lines.children.length > turns) lines.firstElementChild.remove();
}

const source = new EventSource(wall.dataset.live);
source.addEventListener("state", () => { due ||= setTimeout(() => refresh().catch(() => {}), 400); });
source.addEventListener("words", (event) => say(JSON.parse(event.data)));
addEventListener("pagehide", () => source.close());

setInterval(() => {
  for (const element of wall.querySelectorAll("[data-since]")) {
    element.textContent = clock(Math.max(0, (Date.now() - Date.parse(element.dataset.since)) / 1000), 0);
  }
}, 500);
prepare();
