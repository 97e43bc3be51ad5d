// Calling hours are painted on the strips of the week, in half hours: a press opens or closes one, dragging goes on with
// it. The fields below "exact times" hold the result; they are what is sent, and what a keyboard reaches.
import { byId } from "./dom.js";

const STEP = 30; // minutes
const STEPS = (24 * 60) / STEP;
const SVG = "http://www.w3.org/2000/svg";

const week = document.querySelector(".week");
const exact = byId("exact-hours");

const clock = (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

function minutesOf(typed) {
  const match = /^(\d{1,2}):?(\d{2})?$/.exec(typed.trim());
  return match ? Number(match[1]) * 60 + Number(match[2] ?? 0) : NaN;
}

/** The slots that a day's fields hold, as [from, to] in minutes; half typed ones are left out. */
function readSlots(day) {
  return [...day.querySelectorAll(".slot")]
    .map((slot) => [...slot.querySelectorAll("input")].map((input) => minutesOf(input.value)))
    .filter(([from, to]) => from < to);
}

/** Writes slots into a day's fields; there are always two pairs of them, as the server renders. */
function writeSlots(day, slots) {
  const place = day.querySelector(".slots");
  while (place.children.length < slots.length) {
    const next = place.lastElementChild.cloneNode(true);
    for (const input of next.querySelectorAll("input")) {
      const n = place.children.length;
      input.name = input.name.replace(/\.\d+\./, `.${n}.`);
      input.setAttribute("aria-label", input.getAttribute("aria-label").replace(/, \d+, /, `, ${n + 1}, `));
    }
    place.append(next);
  }
  [...place.children].forEach((slot, i) => {
    const [from, to] = slot.querySelectorAll("input");
    from.value = slots[i] ? clock(slots[i][0]) : "";
    to.value = slots[i] ? clock(slots[i][1]) : "";
  });
  byId("hours-week").checked = true;
  drawStrip(day, slots);
}

function drawStrip(day, slots) {
  const strip = day.querySelector(".day-strip");
  for (const open of strip.querySelectorAll(".strip-open")) open.remove();
  const lines = strip.querySelector(".strip-line");
  for (const [from, to] of slots) {
    const open = document.createElementNS(SVG, "rect");
    open.setAttribute("class", "strip-open");
    open.setAttribute("x", from);
    open.setAttribute("width", to - from);
    open.setAttribute("height", 24);
    lines.before(open);
  }
}

/** Slots with one step opened or closed; exact times that are not touched stay. */
function paintStep(slots, step, open) {
  const [from, to] = [step * STEP, (step + 1) * STEP];
  const rest = slots.flatMap(([a, b]) => [[a, Math.min(b, from)], [Math.max(a, to), b]].filter(([x, y]) => x < y));
  if (!open) return rest;
  const all = [...rest, [from, to]].sort((a, b) => a[0] - b[0]);
  return all.reduce((joined, [a, b]) => {
    const last = joined.at(-1);
    if (last && a <= last[1]) last[1] = Math.max(last[1], b);
    else joined.push([a, b]);
    return joined;
  }, []);
}

function stepAt(strip, x) {
  const { left, width } = strip.getBoundingClientRect();
  return Math.min(STEPS - 1, Math.max(0, Math.floor(((x - left) / width) * STEPS)));
}

function paintDay(day) {
  const strip = day.querySelector(".day-strip");
  let open = false;
  let last = -1;
  const paint = (event) => {
    const step = stepAt(strip, event.clientX);
    const [first, end] = last < 0 ? [step, step] : [Math.min(last, step), Math.max(last, step)];
    let slots = readSlots(day);
    for (let i = first; i <= end; i += 1) slots = paintStep(slots, i, open);
    last = step;
    writeSlots(day, slots);
  };
  strip.addEventListener("pointerdown", (event) => {
    const at = stepAt(strip, event.clientX) * STEP;
    if (!byId("hours-week").checked) for (const one of week.children) if (one.matches(".weekday")) writeSlots(one, []);
    open = !readSlots(day).some(([from, to]) => from <= at && at < to);
    last = -1;
    strip.setPointerCapture(event.pointerId);
    paint(event);
  });
  strip.addEventListener("mousedown", (event) => event.preventDefault()); // a selection would begin a drag of its own
  for (const kind of ["pointermove", "pointerup"]) {
    strip.addEventListener(kind, (event) => strip.hasPointerCapture(event.pointerId) && paint(event));
  }
  day.querySelector(".slots").addEventListener("input", () => drawStrip(day, readSlots(day)));
}

if (week && !week.closest("fieldset[disabled]")) {
  const days = [...week.querySelectorAll(".weekday")];
  days.forEach(paintDay);
  week.classList.add("is-painted");
  week.classList.toggle("is-exact", week.querySelector('[aria-invalid="true"]') !== null);
  exact.setAttribute("aria-expanded", String(week.classList.contains("is-exact")));
  exact.addEventListener("click", () => exact.setAttribute("aria-expanded", String(week.classList.toggle("is-exact"))));
  for (const button of document.querySelectorAll("[data-week]")) {
    const proposed = JSON.parse(button.dataset.week);
    button.addEventListener("click", () => days.forEach((day, i) => writeSlots(day, proposed[i])));
  }
}
