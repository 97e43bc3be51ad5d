// The record of a call: the words follow the player, and a click on a word or on the waveform plays from there.
import { byId } from "./dom.js";
import { waveform } from "./console-call-wave.js";

/** Brings the record to life. */
export function record() {
  const audio = byId("audio");
  const canvas = byId("wave");
  const bubbles = byId("bubbles");
  const words = [...bubbles.querySelectorAll(".word")].map((element) => ({
    element, start: Number(element.dataset.start), end: Number(element.dataset.end),
  }));
  let length = 0;

  bubbles.toggleAttribute("data-playable", true);
  fetch(canvas.dataset.peaks).then((answer) => (answer.ok ? answer.json() : null)).then((shape) => {
    if (!shape) return;
    length = shape.seconds;
    waveform(canvas).show(shape);
  }).catch(() => {});

  const hear = (seconds) => {
    audio.currentTime = seconds;
    audio.play().catch(() => {});
  };
  bubbles.addEventListener("click", (event) => {
    const word = event.target.closest(".word") ?? event.target.closest(".bubble");
    if (word && !getSelection().toString()) hear(Number(word.dataset.start));
  });
  canvas.addEventListener("click", (event) => {
    const box = canvas.getBoundingClientRect();
    hear(((event.clientX - box.left) / box.width) * (length || audio.duration || 0));
  });

  const cursor = byId("cursor");
  const show = () => {
    const now = audio.currentTime;
    for (const { element, start, end } of words) {
      element.toggleAttribute("data-now", !audio.paused && start <= now && now < end);
    }
    cursor.hidden = !now;
    const whole = length || audio.duration;
    if (whole) cursor.style.setProperty("--at", (now / whole) * canvas.clientWidth);
    if (!audio.paused) requestAnimationFrame(show);
  };
  for (const name of ["play", "pause", "ended", "seeked"]) audio.addEventListener(name, show);
}
