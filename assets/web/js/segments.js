// The list of segments, and the words that belong to each.
import { byId, clock, say } from "./dom.js";
import { wordElement } from "./transcript.js";

/** Segments of a verbose_json body, each with its own words; words come in order and are dealt out by their middle. */
export function segmentsOf({ segments = [], words = [] }) {
  let next = 0;
  return segments.map((segment, i) => {
    const own = [];
    const last = i === segments.length - 1;
    while (next < words.length && (last || (words[next].start + words[next].end) / 2 <= segment.end)) {
      own.push(words[next++]);
    }
    return { ...segment, words: own };
  });
}

/** Fills the list; onPlay gets an index, onWord a word. */
export function list(segments, onPlay, onWord) {
  const row = byId("segment-row").content;
  byId("segments").replaceChildren(...segments.map((segment, index) => {
    const item = row.cloneNode(true).firstElementChild;
    const play = item.querySelector(".segment-play");
    play.addEventListener("click", () => onPlay(index));
    item.querySelector(".segment-name").textContent = say("play_number", { number: index + 1 });
    item.querySelector(".segment-time").textContent = `${clock(segment.start)} – ${clock(segment.end)}`;
    const text = item.querySelector(".segment-text");
    for (const word of segment.words) text.append(wordElement(word, onWord), " ");
    if (!segment.words.length) text.textContent = segment.text;
    return item;
  }));
}

/** The index of the segment that a time lies in, or -1. */
export const segmentAt = (segments, seconds) =>
  segments.findIndex((segment) => seconds >= segment.start && seconds < segment.end);

/** Highlights a row (-1: none). */
export function follow(index) {
  for (const [i, item] of [...byId("segments").children].entries()) item.toggleAttribute("data-now", i === index);
}
