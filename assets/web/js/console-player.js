// The player of a recording: play, position, speed, skipping silence, by mouse and keyboard. What was said is lit while
// it is heard. Without this script the browser's own controls stay.
import { clock } from "./dom.js";

const step = 5; // seconds of an arrow key
const pause = 1; // seconds: a longer silence is skipped
const lead = 0.2; // seconds of silence that stay before speech

/** Starts the player of a [data-player]. marks are the elements of what was said: {element, start, end}, in seconds.
 * Returns a function that plays from a time. */
export function startPlayer(root, marks) {
  const audio = root.querySelector("audio");
  const bar = root.querySelector(".audio-bar");
  const part = (name) => bar.querySelector(`[data-part="${name}"]`);
  const [play, now, seek, speed, skip] = ["play", "clock", "seek", "speed", "skip"].map(part);
  const speech = marks.map(({ start, end }) => ({ start, end })).sort((a, b) => a.start - b.start);
  const length = () => (Number.isFinite(audio.duration) ? audio.duration : 0);
  audio.controls = false;
  audio.hidden = true;
  bar.hidden = false;
  skip.closest("label").hidden = speech.length === 0;

  const leap = () => {
    const at = audio.currentTime;
    if (!skip.checked || audio.seeking || speech.some(({ start, end }) => start - lead <= at && at < end + lead)) return;
    const next = speech.find(({ start }) => start > at);
    if (!next) audio.currentTime = length();
    else if (next.start - at > pause) audio.currentTime = next.start - lead;
  };
  const show = () => {
    const at = audio.currentTime;
    if (!audio.paused) leap();
    for (const { element, start, end } of marks) {
      element.toggleAttribute("data-now", !audio.paused && start <= at && at < end);
    }
    seek.max = length();
    seek.value = at;
    seek.setAttribute("aria-valuetext", clock(at, 0));
    now.textContent = clock(at, 0) + (length() > 0 ? ` / ${clock(length(), 0)}` : ""); // unknown before it is loaded
    play.dataset.state = audio.paused ? "still" : "playing";
    play.setAttribute("aria-label", play.dataset[play.dataset.state]);
    if (!audio.paused) requestAnimationFrame(show);
  };
  for (const name of ["play", "pause", "ended", "seeked", "loadedmetadata"]) audio.addEventListener(name, show);

  const toggle = () => (audio.paused ? audio.play().catch(() => {}) : audio.pause());
  const move = (by) => { audio.currentTime = Math.min(length(), Math.max(0, audio.currentTime + by)); };
  const pace = (by) => {
    speed.selectedIndex = Math.min(speed.options.length - 1, Math.max(0, speed.selectedIndex + by));
    speed.dispatchEvent(new Event("change"));
  };
  play.addEventListener("click", toggle);
  seek.addEventListener("input", () => { audio.currentTime = Number(seek.value); });
  speed.addEventListener("change", () => { audio.playbackRate = Number(speed.value); });

  const keys = {
    " ": toggle, ArrowLeft: () => move(-step), ArrowRight: () => move(step), "[": () => pace(-1), "]": () => pace(1),
    s: () => speech.length > 0 && skip.click(),
  };
  const listed = root.dataset.player === "listed"; // one of several: it has the keys while it has the focus
  (listed ? root : document).addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    event.preventDefault();
    act();
  });
  show();

  return (seconds) => {
    audio.currentTime = seconds;
    audio.play().catch(() => {});
  };
}

// Whether the element that has the focus needs the key itself.
function isTaken({ target, key }) {
  if (target.matches("[data-part=seek]")) return false;
  if (key === " " && target.closest("button, a, summary, [role=button]")) return true;
  return Boolean(target.closest("input, select, textarea, dialog, [popover]"));
}
