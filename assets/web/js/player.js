// Playback of the whole recording, of one segment, or from a word on, with its position.
import { byId, clock, say } from "./dom.js";

const audio = byId("audio");
const button = byId("play");
let url = "";
let until = Infinity;
let frame = 0;
let onTime = () => {};

function tick() {
  if (audio.currentTime >= until) {
    audio.pause();
    until = Infinity;
  }
  report();
  frame = audio.paused ? 0 : requestAnimationFrame(tick);
}

function report() {
  byId("now").textContent = clock(audio.currentTime);
  onTime(audio.currentTime, !audio.paused);
}

function state() {
  const playing = !audio.paused;
  const label = say(playing ? "pause" : "play_all");
  button.dataset.state = playing ? "playing" : "still";
  button.setAttribute("aria-label", label);
  button.title = label;
  if (playing && !frame) frame = requestAnimationFrame(tick);
  else report();
}

for (const name of ["play", "pause", "ended", "seeked"]) audio.addEventListener(name, state);

button.addEventListener("click", () => {
  if (!audio.paused) return audio.pause();
  until = Infinity;
  play();
});

function play() {
  return audio.play().catch(() => {}); // canPlay has already reported an unplayable format
}

/** Loads a file; follow(seconds, playing) is called as time passes. */
export function load(file, follow) {
  if (url) URL.revokeObjectURL(url);
  url = URL.createObjectURL(file);
  onTime = follow;
  until = Infinity;
  audio.src = url;
  return new Promise((resolve) => {
    audio.addEventListener("loadedmetadata", () => resolve(true), { once: true });
    audio.addEventListener("error", () => resolve(false), { once: true });
  });
}

/** The duration in seconds by the browser; 0 if it is unknown. */
export const length = () => (Number.isFinite(audio.duration) ? audio.duration : 0);

/** Plays from start, up to end if there is one. */
export function playFrom(start, end = Infinity) {
  audio.currentTime = start;
  until = end;
  play();
}

export function stop() {
  audio.pause();
}
