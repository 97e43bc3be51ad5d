// The queue of calls that need staff: keys as in a mail client (j, k, t takes, c calls back, d ends), live rows, and
// desktop notices with a sound for new ones, which a person switches on for this browser.
import { isSelected, walkRows } from "./rows.js";
import { labelCells } from "./tables.js";

const queue = document.getElementById("queue");
const notify = document.getElementById("notify");
const kept = "munadi-queue-notices";
const rows = () => [...queue.querySelectorAll("tbody tr")];
walkRows(rows, act);

function act(row, key) {
  if (!"tcd".includes(key)) return false;
  const button = row.querySelector(`[data-key="${key}"]`);
  button?.click();
  return true;
}

// The note of an ended follow-up is in hand as soon as its field opens.
queue.addEventListener("toggle", ({ target }) => {
  if (target.open) target.querySelector("textarea")?.focus();
}, { capture: true });

// After a change of a call the page is fetched and its rows replace those shown, unless somebody writes in one.
let due = 0;

async function refresh() {
  due = 0;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = fresh.getElementById("queue");
  if (!next) return;
  const known = new Set(rows().map((row) => row.dataset.id));
  const added = [...next.querySelectorAll("tbody tr")].filter((row) => !known.has(row.dataset.id));
  announce(added);
  if (queue.querySelector("details[open]")) return;
  const focused = document.activeElement?.closest("#queue tr")?.dataset.id;
  queue.replaceChildren(...next.children);
  for (const row of rows()) {
    row.classList.toggle("new", !known.has(row.dataset.id));
    row.toggleAttribute("data-cursor", isSelected(row));
    if (row.dataset.id === focused) row.querySelector("th a").focus({ preventScroll: true });
  }
  for (const table of queue.querySelectorAll("table")) labelCells(table);
  document.querySelector(".queue-head .chips")?.replaceWith(fresh.querySelector(".queue-head .chips"));
}

const told = new Set(rows().map((row) => row.dataset.id));

// announce shows a notice for each new call of which none was shown.
function announce(added) {
  const fresh = added.filter((row) => !told.has(row.dataset.id));
  for (const row of fresh) told.add(row.dataset.id);
  if (!fresh.length || !wanted()) return;
  ring();
  for (const row of fresh.slice(0, 3)) {
    const name = row.querySelector("th")?.textContent.trim() ?? "";
    const notice = new Notification(`${notify.dataset.title}: ${name}`, { body: row.querySelector("q")?.textContent ?? "", tag: row.dataset.id });
    notice.addEventListener("click", () => window.focus());
  }
}

// Notices are on in this browser only, and only while it allows them.
const wanted = () => "Notification" in window && Notification.permission === "granted" && localStorage.getItem(kept) === "on";
const show = () => notify.setAttribute("aria-pressed", String(wanted()));

if (notify && "Notification" in window) {
  notify.hidden = false;
  show();
  notify.addEventListener("click", async () => {
    if (wanted()) localStorage.removeItem(kept);
    else if ((await Notification.requestPermission()) === "granted") {
      localStorage.setItem(kept, "on");
      ring();
    } else notify.title = notify.dataset.denied;
    show();
  });
}

// ring plays two short tones. A browser allows sound after the first key or click on the page.
let sound = null;

function ring() {
  sound ??= new AudioContext();
  sound.resume().catch(() => {});
  for (const [at, tone] of [[0, 660], [0.18, 880]]) {
    const source = sound.createOscillator();
    const level = sound.createGain();
    source.frequency.value = tone;
    level.gain.setValueAtTime(0.12, sound.currentTime + at);
    level.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + at + 0.16);
    source.connect(level).connect(sound.destination);
    source.start(sound.currentTime + at);
    source.stop(sound.currentTime + at + 0.17);
  }
}

const soon = () => { due ||= setTimeout(() => refresh().catch(() => {}), 400); };
const source = new EventSource(queue.dataset.live);
source.addEventListener("state", soon);
const steady = setInterval(soon, 15000);
addEventListener("pagehide", () => {
  source.close();
  clearInterval(steady);
});
