// The waveform with a band for each segment. Time runs left to right, also on a right-to-left page.
import { byId, make, say } from "./dom.js";
import { peaks } from "./sound.js";

const canvas = byId("wave-canvas");
const bands = byId("bands");
let samples = null;
let duration = 0;

/** Draws the samples, or a flat line where there are none. Call again when colours or sizes change. */
export function draw() {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width) return;
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.fillStyle = getComputedStyle(canvas).getPropertyValue("--ink-soft");
  const middle = height / 2;
  if (!samples?.length) return context.fillRect(0, middle - 0.5, width, 1);
  const step = 3; // a bar of 2 pixels and a gap of one reads better than a solid shape
  const shape = peaks(samples, Math.floor(width / step));
  for (let i = 0; i < shape.length / 2; i++) {
    const top = middle - shape[2 * i + 1] * (middle - 8);
    const bottom = middle - shape[2 * i] * (middle - 8);
    context.fillRect(i * step, top - 0.5, 2, bottom - top + 1);
  }
}

/** Shows another recording: samples may be null, seconds is its duration. */
export function show(newSamples, seconds) {
  samples = newSamples;
  duration = seconds;
  draw();
}

/** Draws the segments over the waveform; onPlay gets a segment's index. */
export function mark(segments, onPlay) {
  bands.replaceChildren(...segments.map((segment, index) => {
    const band = make("button", { className: "band", type: "button", tabindex: index === 0 ? "0" : "-1",
      "aria-label": say("play_segment", { number: index + 1, text: segment.text }) });
    band.style.setProperty("--from", segment.start / duration);
    band.style.setProperty("--span", (segment.end - segment.start) / duration);
    band.addEventListener("click", () => onPlay(index));
    return band;
  }));
}

/** Highlights a band (-1: none) and puts the cursor at a time. */
export function follow(index, seconds) {
  for (const [i, band] of [...bands.children].entries()) band.toggleAttribute("data-now", i === index);
  byId("cursor").style.setProperty("--at", duration ? (seconds / duration) * canvas.clientWidth : 0);
}

// One stop of the Tab key for the whole waveform; arrows go by time.
bands.addEventListener("keydown", (event) => {
  const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = [...bands.children];
  const from = all.indexOf(document.activeElement);
  const to = all[Math.min(all.length - 1, Math.max(0, from + step))];
  for (const band of all) band.tabIndex = band === to ? 0 : -1;
  to.focus();
});

new ResizeObserver(draw).observe(canvas);

/** The time under a click beside the bands, in seconds. */
export function timeAt(event) {
  const box = canvas.getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * duration;
}
