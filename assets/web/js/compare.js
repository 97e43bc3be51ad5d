// Three readings of each segment side by side, with their tokens and scores.
import { byId, make, say } from "./dom.js";

const kinds = ["rnnt", "ctc", "hybrid"];

/** The form of a debug decoding; its padding equals the transcription's, so that both decode the same audio. */
export function parameters() {
  const out = { mode: "hybrid", ctc_weight: byId("weight").value || "0", vad_pad_ms: 400 };
  if (byId("beam").checked) Object.assign(out, { beam_enabled: true, beam_size: 4 });
  return out;
}

// Words of a that are not in a longest common subsequence with b.
function differing(a, b) {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let k = b.length - 1; k >= 0; k--) {
      rows[i][k] = a[i] === b[k] ? rows[i + 1][k + 1] + 1 : Math.max(rows[i + 1][k], rows[i][k + 1]);
    }
  }
  const out = new Set();
  for (let i = 0, k = 0; i < a.length; ) {
    if (k < b.length && a[i] === b[k]) { i++; k++; } else if (k < b.length && rows[i][k + 1] >= rows[i + 1][k]) k++;
    else out.add(i++);
  }
  return out;
}

const split = (text) => text.split(/\s+/).filter(Boolean);

function textElement(text, against) {
  const element = make("p", { className: "reading-text", lang: "ar", dir: "rtl" });
  const words = split(text);
  if (!words.length) element.append(make("span", { className: "hint", text: say("empty"), lang: document.documentElement.lang }));
  const odd = differing(words, split(against));
  words.forEach((word, i) => element.append(make("span", { className: odd.has(i) ? "differs" : "", text: word }), " "));
  return element;
}

function tokensElement({ tokens = [], timestamps = [] }) {
  const element = make("div", { className: "tokens", dir: "rtl" });
  tokens.forEach((token, i) => {
    const chip = make("bdi", { className: "token", text: token, lang: "ar" });
    if (timestamps[i] !== undefined) chip.title = say("spoken_at", { time: Number(timestamps[i]).toFixed(2) });
    element.append(chip);
  });
  return element;
}

function scoreElement(score) {
  const element = make("span", { text: `${say("score")} ` });
  element.append(make("bdi", { text: score === null || score === undefined ? "–" : Number(score).toFixed(2), dir: "ltr" }));
  return element;
}

// A thin bar: the probability of an average token, exp(score / tokens).
function bar({ score, tokens = [] }) {
  const element = make("div", { className: "bar", "aria-hidden": "true" });
  const fill = make("span");
  fill.style.setProperty("--share", tokens.length ? Math.min(1, Math.exp((score ?? -Infinity) / tokens.length)) : 0);
  element.append(fill);
  return element;
}

function readingElement(kind, segment) {
  const reading = segment[kind] ?? {};
  const element = make("div", { className: "reading" });
  const head = make("div", { className: "reading-head" });
  head.append(make("strong", { text: kind === "hybrid" ? say("hybrid") : kind.toUpperCase() }), scoreElement(reading.score));
  const against = kind === "rnnt" ? segment.ctc : segment.rnnt;
  element.append(head, textElement(reading.text ?? "", against?.text ?? ""));
  if (kind === "hybrid" && reading.picked !== undefined && reading.picked !== null) {
    element.append(make("p", { className: "hint", text: say("picked", { which: String(reading.picked).toUpperCase() }) }));
  }
  if (reading.tokens) element.append(bar(reading), tokensElement(reading));
  return element;
}

// The decoder's segments equal the transcription's; if they differ, each result goes to the row that it overlaps most.
function rowFor(segment, shown) {
  let best = -1;
  let most = 0;
  shown.forEach((other, i) => {
    const overlap = Math.min(segment.end, other.end) - Math.max(segment.start, other.start);
    if (overlap > most) [best, most] = [i, overlap];
  });
  return byId("segments").children[best];
}

/** Shows an answer of the debug decoder under the rows of the shown segments. */
export function showReadings(answer, shown) {
  clearReadings();
  for (const segment of answer.segments) {
    const place = rowFor(segment, shown)?.querySelector(".readings");
    if (!place) continue;
    place.append(...kinds.map((kind) => readingElement(kind, segment)));
    place.hidden = false;
  }
  const { total = 0, encoder = 0 } = answer.timings_ms ?? {};
  const said = [say("timings", { total: Math.round(total), encoder: Math.round(encoder) }), ...(answer.warnings ?? [])];
  byId("compare-status").textContent = said.join(" · ");
}

/** Removes the results. */
export function clearReadings() {
  byId("compare-status").textContent = "";
  for (const place of document.querySelectorAll("#segments .readings")) {
    place.replaceChildren();
    place.hidden = true;
  }
}
