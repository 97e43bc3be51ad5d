// A conversation with a scenario by the browser's microphone and speaker, over a WebSocket: the room of a trial.

import { openLine } from "./line.js";
import { loudness } from "./microphone.js";
import { decode } from "./speaker.js";

const room = document.getElementById("talk");

/** The room; subclasses choose the line's address and protocols. */
export class Talk {
  constructor() {
    this.button = document.getElementById("talk-button");
    this.label = document.getElementById("talk-label");
    this.state = document.getElementById("talk-state");
    this.turns = document.getElementById("talk-turns");
    this.kept = document.getElementById("talk-kept");
    this.session = null;
    this.button.hidden = false;
    this.button.addEventListener("click", () => (this.session ? this.hangUp() : this.begin()));
    for (const key of room.querySelectorAll("[data-key]")) {
      key.addEventListener("click", () => this.session?.socket.send(JSON.stringify({ keys: key.dataset.key })));
    }
    const full = document.getElementById("talk-full");
    full.hidden = !document.fullscreenEnabled;
    full.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : room.requestFullscreen()));
  }

  say(text) {
    this.state.textContent = text;
  }

  async begin() {
    const { waiting, listening, denied, missing, broken } = room.dataset;
    this.button.disabled = true;
    this.clear();
    this.say(waiting);
    try {
      const level = (block) => room.style.setProperty("--level", loudness(block).toFixed(2));
      this.session = await openLine(this.address(), level, this.protocols());
      const { mic, socket, out } = this.session;
      socket.onmessage = ({ data }) => (typeof data === "string" ? this.event(JSON.parse(data)) : out.play(decode(data)));
      socket.onclose = () => this.over();
      mic.ended.then(() => this.session && this.hangUp());
      this.button.setAttribute("aria-pressed", "true");
      this.label.textContent = room.dataset.stop;
      this.say(listening);
    } catch (error) {
      const reasons = { NotAllowedError: denied, SecurityError: denied, NotFoundError: missing, TypeError: missing };
      this.say(reasons[error.name] ?? broken);
      if (!reasons[error.name]) await this.refused();
    }
    this.button.disabled = false;
  }

  /** Called when the line could not be opened. */
  async refused() {}

  protocols() {
    return [];
  }

  /** The address of the line; the values of the booking go with it. */
  address() {
    const url = new URL(room.dataset.line, location.href);
    const values = document.getElementById("talk-values");
    for (const [name, value] of values ? new FormData(values) : []) {
      if (name !== "csrf") url.searchParams.append(name, value); // the form's token is for posts
    }
    return url;
  }

  event(e) {
    if (e.type === "call") this.id = e.id;
    if (e.type === "flush") this.session?.out.flush();
    if (e.type === "partial") this.partial(e.text);
    if (e.type === "message") this.turn(e.role === "user", e.content);
    if (e.type === "slot") this.slot(e.name, e.value);
    if (e.type === "transfer") this.say(room.dataset.transfer.replace("{to}", e.to));
    if (e.type === "end") this.ended = e;
    if (e.type === "step") this.step(e.id);
  }

  /** What was recognized so far stands in the last bubble until the turn is over. */
  partial(text) {
    if (!text) return this.drop();
    this.open ??= this.bubble(true);
    this.open.classList.add("partial");
    this.show(this.open, text);
  }

  turn(mine, text) {
    if (mine) this.drop();
    if (text) this.show(this.bubble(mine), text);
  }

  drop() {
    this.open?.remove();
    this.open = null;
  }

  bubble(mine) {
    const line = document.createElement("li");
    line.className = mine ? "turn mine" : "turn";
    const who = document.createElement("span");
    who.className = "visually-hidden";
    who.textContent = (mine ? room.dataset.person : room.dataset.platform) + ":";
    const words = document.createElement("span");
    words.lang = "ar";
    words.dir = "auto";
    line.append(who, " ", words);
    this.turns.append(line);
    return line;
  }

  show(line, text) {
    line.lastChild.textContent = text;
    this.turns.scrollTop = this.turns.scrollHeight;
  }

  slot(name, value) {
    const cell = room.querySelector(`[data-slot="${CSS.escape(name)}"]`);
    if (!cell) return;
    const { yes, no } = room.dataset;
    cell.textContent = value === true ? yes : value === false ? no : (value ?? "—");
  }

  step(id) {
    for (const item of room.querySelectorAll("[data-step]")) {
      if (item.dataset.step === id) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    }
  }

  clear() {
    this.ended = this.id = null;
    if (this.kept) this.kept.hidden = true;
    this.open = null;
    this.turns.replaceChildren();
    for (const cell of room.querySelectorAll("[data-slot]")) cell.textContent = "—";
    this.step("");
  }

  /** The platform hears that the person has hung up, and answers with what came out of the conversation. */
  hangUp() {
    const { mic, socket } = this.session;
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ hang_up: true }));
    mic.stop().catch(() => {});
    setTimeout(() => socket.close(1000), 3000);
  }

  over() {
    const { mic, out } = this.session;
    this.session = null;
    this.drop();
    out.flush();
    mic.stop().catch(() => {});
    room.style.setProperty("--level", "0");
    this.button.setAttribute("aria-pressed", "false");
    this.label.textContent = room.dataset.start;
    this.say(this.ended ? room.dataset.done : room.dataset.lost);
    if (this.kept && this.id) {
      this.kept.href = `/console/calls/${this.id}`;
      this.kept.hidden = false;
    }
  }
}

/** Opens the room where a microphone may be used. */
export function openRoom(make = () => new Talk()) {
  if (window.isSecureContext && navigator.mediaDevices) return make();
  document.getElementById("talk-state").textContent = room.dataset.missing;
  return null;
}
