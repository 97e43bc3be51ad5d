// The stage: pieces of text as they are streamed, then words that can be played.
import { bringIntoView, byId, make, say } from "./dom.js";

const stage = byId("stage");
const text = byId("text");
const status = byId("status");

/** Clears the stage for a new text. */
export function begin(saying) {
  text.replaceChildren();
  text.hidden = true;
  byId("placeholder").hidden = false;
  byId("tools").hidden = true;
  working(saying);
  bringIntoView(stage);
}

/** Shows what is being done, with a button to stop it. */
export function working(saying) {
  stage.dataset.state = "working";
  status.textContent = saying;
  byId("cancel").hidden = false;
}

/** Appends a piece. */
export function append(delta) {
  byId("placeholder").hidden = true;
  text.hidden = false;
  text.append(make("span", { className: "piece", text: delta }));
}

/** Ends the work, in one of the states "done" and "empty"; saying may be "". */
export function finish(saying = "") {
  const empty = text.textContent.trim() === "";
  stage.dataset.state = empty ? "empty" : "done";
  status.textContent = saying;
  byId("cancel").hidden = true;
  byId("placeholder").hidden = !empty;
  byId("tools").hidden = empty;
}

/** Replaces the pieces by words that play when pressed; the text stays the same, so nothing is announced again. */
export function showWords(segments, onWord) {
  text.setAttribute("aria-live", "off");
  text.replaceChildren();
  for (const segment of segments) {
    for (const word of segment.words) text.append(wordElement(word, onWord), " ");
    if (!segment.words.length) text.append(segment.text, " ");
  }
}

/** Lets screen readers announce the stage again. */
export const announce = () => text.setAttribute("aria-live", "polite");

/** A word that plays when pressed. The keyboard uses the segments instead, since words would be hundreds of tab stops. */
export function wordElement(word, onWord) {
  const element = make("span", { className: "word", text: word.word });
  element.dataset.start = word.start;
  element.dataset.end = word.end;
  element.title = say("spoken_at", { time: word.start.toFixed(2) });
  element.addEventListener("click", () => onWord(word));
  return element;
}

/** Highlights the word that is being spoken. */
export function follow(seconds, playing) {
  for (const word of text.querySelectorAll(".word")) {
    const now = playing && seconds >= Number(word.dataset.start) && seconds < Number(word.dataset.end);
    word.toggleAttribute("data-now", now);
  }
}
