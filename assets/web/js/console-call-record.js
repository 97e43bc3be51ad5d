// The record of a call: the words follow the player, and a click on a word or on the waveform plays from there.
import { byId } from "./dom.js";
import { startPlayer } from "./console-player.js";

/** Sets the record up. */
export function record() {
  const audio = byId("audio");
  const wave = byId("wave");
  const bubbles = byId("bubbles");
  const hear = startPlayer(audio.closest("[data-player]"), [...bubbles.querySelectorAll(".word")].map((element) => ({
    element, start: Number(element.dataset.start), end: Number(element.dataset.end),
  })));
  const length = () => Number(wave.dataset.seconds) || audio.duration || 0;

  bubbles.toggleAttribute("data-playable", true);
  wave.closest("section").toggleAttribute("data-playable", true);

  // In the capture phase: the form that a word opens selects its text, and a selection must not start playback.
  bubbles.addEventListener("click", (event) => {
    if (event.target.closest("form, summary")) return;
    const word = event.target.closest(".word") ?? event.target.closest(".bubble");
    if (word && !getSelection().toString()) hear(Number(word.dataset.start));
  }, { capture: true });
  wave.addEventListener("click", (event) => {
    const box = wave.getBoundingClientRect();
    hear(((event.clientX - box.left) / box.width) * length());
  });

  const cursor = byId("cursor");
  const show = () => {
    const now = audio.currentTime;
    cursor.hidden = !now;
    if (length()) cursor.style.setProperty("--at", (now / length()) * wave.getBoundingClientRect().width);
    if (!audio.paused) requestAnimationFrame(show);
  };
  for (const name of ["play", "pause", "ended", "seeked"]) audio.addEventListener(name, show);
}
