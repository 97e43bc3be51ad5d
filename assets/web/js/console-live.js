// The live pages: the browser's microphone through the realtime protocol, a session that is watched, and the record
// with its player.

import { startPlayer } from "./console-player.js";
import { loudness, microphone, pcm, rate, resampler } from "./microphone.js";
import { labelCells } from "./tables.js";

/** 16-bit little-endian samples as base64. */
function base64(samples) {
  let text = "";
  for (const b of new Uint8Array(pcm(samples))) text += String.fromCharCode(b);
  return btoa(text);
}

/** The words: finished sentences, and the one that still changes below them. */
class Words {
  constructor(box) {
    this.box = box;
    this.open = null;
  }

  line() {
    this.box.querySelector(".live-empty")?.remove();
    const p = document.createElement("p");
    p.lang = "ar";
    p.dir = "auto";
    this.box.append(p);
    return p;
  }

  clear() {
    this.box.replaceChildren();
    this.open = null;
  }

  partial(text) {
    if (!text) return this.drop();
    this.open ??= this.line();
    this.open.className = "partial";
    this.show(text);
  }

  final(text) {
    if (!text) return this.drop();
    this.open ??= this.line();
    this.open.className = "";
    this.show(text);
    this.open = null;
  }

  drop() {
    this.open?.remove();
    this.open = null;
  }

  show(text) {
    this.open.textContent = text;
    this.box.scrollTop = this.box.scrollHeight;
  }
}

/** Opens a realtime session with a token of this page's, of a latency in milliseconds (0: the model's usual one); resolves
 * when it is ready for sound. */
async function connect(csrf, latency) {
  const answer = await fetch("/console/live/token", { method: "POST", headers: { "X-CSRF-Token": csrf } });
  if (!answer.ok) throw new Error("token");
  const { token, page } = await answer.json();
  const url = new URL("/compat/v1/realtime?intent=transcription", location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const socket = new WebSocket(url, ["realtime", "openai-insecure-api-key." + token]);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error("socket"));
  });
  socket.send(JSON.stringify({
    type: "session.update",
    session: {
      type: "transcription",
      audio: {
        input: {
          format: { type: "audio/pcm", rate },
          turn_detection: { type: "server_vad" },
          ...(latency ? { transcription: { latency_ms: latency } } : {}),
        },
      },
      include: ["item.input_audio_transcription.partial"],
    },
  }));
  return { socket, page };
}

class Stage {
  constructor(root) {
    this.root = root;
    this.button = root.querySelector("#live-button");
    this.label = root.querySelector("#live-label");
    this.state = root.querySelector("#live-state");
    this.words = new Words(root.querySelector("#live-text"));
    this.latency = root.querySelector("#live-latency"); // null: the model offers no choice
    this.session = null;
    this.button.hidden = false;
    this.button.addEventListener("click", () => (this.session ? this.stop() : this.start()));
  }

  say(text) {
    this.state.textContent = text;
  }

  async start() {
    const { csrf, waiting, listening, denied, missing, broken, lost } = this.root.dataset;
    this.button.disabled = true;
    this.say(waiting);
    let socket = null;
    try {
      const early = [];
      let send = (block) => early.push(block);
      const mic = await microphone((block) => {
        this.root.style.setProperty("--level", loudness(block).toFixed(2));
        send(block);
      });
      const opened = await connect(csrf, Number(this.latency?.value ?? 0)).catch(async (error) => {
        await mic.stop();
        throw error;
      });
      socket = opened.socket;
      const convert = resampler(mic.rate);
      send = (block) => {
        const samples = convert(block);
        if (samples.length && socket.readyState === WebSocket.OPEN) {
          socket.send(JSON.stringify({ type: "input_audio_buffer.append", audio: base64(samples) }));
        }
      };
      early.forEach((block) => send(block));
      this.words.clear();
      this.session = { mic, socket, page: opened.page };
      socket.onmessage = ({ data }) => this.heard(JSON.parse(data));
      socket.onclose = () => this.session && this.end(lost);
      mic.ended.then(() => this.session && this.stop(this.root.dataset.unplugged));
      this.button.setAttribute("aria-pressed", "true");
      this.label.textContent = this.root.dataset.stop;
      this.say(listening);
    } catch (error) {
      const reasons = { NotAllowedError: denied, SecurityError: denied, NotFoundError: missing, TypeError: missing };
      this.say(reasons[error.name] ?? broken);
    }
    this.button.disabled = false;
  }

  heard(event) {
    if (event.type.endsWith("transcription.partial")) this.words.partial(event.text);
    if (event.type.endsWith("transcription.completed")) this.words.final(event.transcript);
    if (event.type === "input_audio_buffer.cleared") this.session?.last?.();
  }

  /** Sends the remaining audio, waits for its text, and ends with the error, if any. The answer to the clearing comes
   * behind every text, however many turns end together, and also where there is nothing to commit. */
  async stop(trouble = "") {
    const { socket, mic } = this.session;
    this.button.disabled = true;
    await mic.stop();
    if (socket.readyState === WebSocket.OPEN) {
      await new Promise((resolve) => {
        this.session.last = resolve;
        setTimeout(resolve, 3000);
        for (const wish of ["commit", "clear"]) socket.send(JSON.stringify({ type: "input_audio_buffer." + wish }));
      });
    }
    if (this.session) this.end(trouble);
  }

  end(trouble) {
    const { socket, mic, page } = this.session;
    this.session = null;
    mic.stop().catch(() => {});
    socket.close(1000);
    this.root.style.setProperty("--level", "0");
    this.button.setAttribute("aria-pressed", "false");
    this.button.disabled = false;
    this.label.textContent = this.root.dataset.start;
    this.words.drop();
    const link = document.createElement("a");
    link.href = page;
    link.textContent = this.root.dataset.done;
    this.state.replaceChildren(trouble, " ", link);
    relist().catch(() => {});
  }
}

/** Updates the list of stored sessions, repeatedly while one of them is being closed. */
async function relist(waits = [300, 1000, 3000]) {
  const ours = document.querySelector("#kept");
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!ours || !answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#kept");
  if (!fresh) return;
  ours.replaceChildren(...fresh.childNodes);
  for (const table of ours.querySelectorAll("table.data")) labelCells(table);
  const running = ours.querySelector("[data-state=in_progress]");
  if (running && waits.length) setTimeout(() => relist(waits.slice(1)).catch(() => {}), waits[0]);
}

/** A session of another browser or of the server's microphone. */
function watch(root) {
  const words = new Words(root.querySelector("#live-text"));
  const state = root.querySelector("#live-state");
  const source = new EventSource(root.dataset.events);
  const on = (name, act) => source.addEventListener(name, ({ data }) => act(data ? JSON.parse(data) : {}));
  on("reset", () => words.clear());
  on("level", ({ level }) => root.style.setProperty("--level", level));
  on("partial", ({ text }) => words.partial(text));
  on("segment", ({ text }) => words.final(text));
  let last = state.textContent;
  on("state", (e) => (state.textContent = last = e.state === "gone" ? root.dataset.gone : root.dataset.listening));
  source.addEventListener("error", () => (state.textContent = root.dataset.lost));
  source.addEventListener("open", () => (state.textContent = last));
  source.addEventListener("end", () => {
    source.close();
    location.reload();
  });
}

/** Plays a sentence when it is pressed; its words are lit while they are heard. */
function record(list, sound) {
  const times = (element) => ({ element, start: Number(element.dataset.start), end: Number(element.dataset.end) });
  const hear = startPlayer(sound.closest("[data-player]"), [...list.querySelectorAll(".word")].map(times));
  for (const line of list.querySelectorAll(".live-line")) {
    line.addEventListener("click", (event) => hear(Number((event.target.closest(".word") ?? line).dataset.start)));
  }
}

const stage = document.getElementById("live-stage");
if (stage && window.isSecureContext && navigator.mediaDevices) new Stage(stage);
else if (stage) stage.querySelector("#live-state").textContent = stage.dataset.missing;
const watched = document.getElementById("live-watch");
if (watched) watch(watched);
const lines = document.getElementById("live-lines");
const sound = document.getElementById("live-sound");
if (lines && sound) record(lines, sound);
