// The page of a running call: its events, which are sent from the first one on, become bubbles, a waveform, a clock and
// filled slots.
import { byId, clock, numerals, say } from "./dom.js";
import { waveform } from "./console-call-wave.js";

/** Follows the call until it ends; then the page is reloaded as the call's record. */
export function follow(page) {
  const began = page.dataset.status;
  const wave = byId("wave") && waveform(byId("wave"));
  const source = new EventSource(page.dataset.live);
  let shape, lane, running;

  const reset = () => {
    shape = { left: [], right: [] };
    lane = { list: byId("bubbles"), open: null, said: [], last: null };
    lane.list.replaceChildren();
    running = null;
    byId("staff-on")?.setAttribute("hidden", "");
    findLadder()?.replaceChildren();
  };
  const on = (name, act) => source.addEventListener(name, (event) => {
    const atEnd = lane && endInSight(lane.list);
    act(JSON.parse(event.data));
    if (atEnd) lane.list.lastElementChild?.scrollIntoView({ block: "nearest" });
  });

  on("reset", reset);
  on("state", (state) => {
    if (began === "scheduled" || (state.status !== "dialing" && state.status !== "in_progress")) return again(source);
    badge(state.status);
    running = { since: Date.parse(state.at), line: null };
  });
  on("peaks", (more) => {
    shape.left.push(...more.left);
    shape.right.push(...more.right);
    wave?.show(shape);
    const now = more.at + more.left.length / 10;
    if (running) running.line = { seconds: now, seen: performance.now() };
    reveal(lane, now);
  });
  on("say", (said) => speak(lane, said));
  on("cut", ({ at }) => cut(lane, at));
  on("partial", (part) => hear(lane, part));
  on("nothing", () => {
    lane.open?.remove();
    lane.open = null;
  });
  on("message", (message) => settle(lane, message));
  on("slot", (slot) => fill(lane, slot));
  on("staff", ({ on: talks }) => byId("staff-on")?.toggleAttribute("hidden", !talks));
  on("sip", (message) => climb(message));
  on("end", () => again(source));
  source.onopen = () => { byId("lost").hidden = true; };
  source.onerror = () => { byId("lost").hidden = source.readyState === EventSource.CLOSED; };
  addEventListener("pagehide", () => source.close());

  setInterval(() => {
    if (!running || !byId("clock")) return;
    const { line, since } = running;
    const seconds = line ? line.seconds + Math.min(0.9, (performance.now() - line.seen) / 1000) : (Date.now() - since) / 1000;
    byId("clock").textContent = clock(Math.max(0, seconds), 0);
  }, 250);
}

const findLadder = () => document.querySelector("#ladder-card .ladder");

// A SIP message becomes a rung of the ladder.
function climb({ at, sent, line, leg }) {
  const list = findLadder();
  if (!list) return;
  byId("ladder-card").hidden = false;
  const rung = byId("rung").content.firstElementChild.cloneNode(true);
  if (leg) {
    const staff = document.createElement("p");
    staff.className = "ladder-line muted small";
    staff.dir = "auto";
    staff.lang = document.documentElement.lang;
    staff.textContent = byId("rung").dataset.staff.replace("{n}", leg);
    rung.querySelector("p").after(staff);
  }
  rung.className = sent ? "sent" : "received";
  if (line.startsWith("SIP/2.0 ")) rung.dataset.status = line[8];
  rung.querySelector("b").textContent = line.replace(/^SIP\/2\.0 | SIP\/2\.0$/, "");
  list.dataset.began ??= at;
  const seconds = (Date.parse(at) - Date.parse(list.dataset.began)) / 1000;
  rung.querySelector("span").textContent = `+${seconds.toFixed(3)} s`;
  list.append(rung);
}

// Whether the end of the conversation is visible, as opposed to earlier turns that the reader has scrolled to.
function endInSight(list) {
  return list.getBoundingClientRect().bottom < innerHeight + 48;
}

function again(source) {
  source.close();
  setTimeout(() => location.reload(), 300);
}

function badge(status) {
  const source = document.querySelector(`template[data-badge="${status}"]`);
  if (source) byId("state").replaceChildren(source.content.cloneNode(true));
}

function bubble(lane, role, start) {
  byId("placeholder")?.remove();
  const item = byId("bubble").content.firstElementChild.cloneNode(true);
  item.classList.add(role);
  item.querySelector(".bubble-head span").textContent = say(role);
  item.querySelector("bdi").textContent = clock(start, 0);
  item.dataset.start = start;
  const after = [...lane.list.children].find((other) => Number(other.dataset.start) > start);
  lane.list.insertBefore(item, after ?? null);
  return item;
}

// The platform's text is known before it is spoken: words are grey until they are spoken.
function speak(lane, { text, start, end }) {
  const item = bubble(lane, "assistant", start);
  const words = text.split(/\s+/).filter(Boolean);
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0);
  let at = start;
  const timed = words.map((word) => {
    const element = document.createElement("span");
    element.className = "word coming";
    element.textContent = word;
    const from = at;
    at += ((end - start) * (word.length + 1)) / letters;
    return { element, from };
  });
  item.querySelector(".bubble-text").replaceChildren(...timed.flatMap(({ element }) => [element, " "]));
  lane.said.push({ item, start, end, timed });
}

function reveal(lane, now) {
  for (const { timed } of lane.said) {
    for (const { element, from } of timed) element.classList.toggle("coming", from > now);
  }
}

// After an interruption, words and sentences that were not spoken yet are removed.
function cut(lane, now) {
  for (const one of lane.said.filter(({ end }) => end > now)) {
    if (one.start >= now) one.item.remove();
    else for (const { element, from } of one.timed) if (from > now) element.remove();
  }
  lane.said = lane.said.filter(({ start }) => start < now);
}

function hear(lane, { start, text }) {
  lane.open ??= bubble(lane, "user", start);
  lane.open.classList.add("open");
  if (text) write(lane.open, text, "word coming");
}

function write(item, text, kind) {
  const word = document.createElement("span");
  word.className = kind;
  word.textContent = text;
  item.querySelector(".bubble-text").replaceChildren(word);
}

// The final text of a turn replaces its partial text.
function settle(lane, message) {
  if (message.role === "assistant") {
    const i = lane.said.findIndex(({ start }) => Math.abs(start - message.start) < 0.05);
    const item = i >= 0 ? lane.said.splice(i, 1)[0].item : bubble(lane, "assistant", message.start);
    write(item, message.content, "word");
    return;
  }
  const item = lane.open ?? bubble(lane, "user", message.start);
  lane.open = null;
  item.classList.remove("open");
  write(item, message.content, "word");
  lane.last = item;
}

// A filled slot refers to the words that filled it: the customer's last ones.
function fill(lane, { name, value }) {
  byId("no-report")?.remove();
  lane.last?.classList.add("found");
  const slots = byId("slots");
  let term = slots.querySelector(`[data-slot="${CSS.escape(name)}"]`);
  if (!term) {
    term = document.createElement("dt");
    term.dataset.slot = name;
    term.append(bdi(label(name) ?? name));
    slots.append(term, document.createElement("dd"));
  }
  const field = term.nextElementSibling;
  field.replaceChildren(bdi(label(name, value) ?? words(value)));
  field.classList.remove("new");
  void field.offsetWidth; // restarts the animation
  field.classList.add("new");
}

// The label of a slot, or of one of its values; undefined if the scenario has none.
function label(slot, value) {
  const of = `[data-slot="${CSS.escape(slot)}"]`;
  const which = value === undefined ? `${of}:not([data-value])` : `${of}[data-value="${CSS.escape(String(value))}"]`;
  return byId("labels").content.querySelector(which)?.textContent;
}

function words(value) {
  if (value === true) return say("yes");
  if (value === false) return say("no");
  if (value === null || value === undefined || value === "") return say("unknown");
  return typeof value === "number" ? numerals(String(value)) : String(value);
}

function bdi(text) {
  const element = document.createElement("bdi");
  element.textContent = text;
  return element;
}
