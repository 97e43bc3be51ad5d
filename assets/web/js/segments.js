// The list of segments with their words.
import { byId, clock, say } from "./dom.js";
import { wordElement } from "./transcript.js";

/**
 * Segments of a verbose_json body, each with its own words; the words of a channel (undefined: of all) come in order and
 * are dealt out by their middle.
 */
export function segmentsOf({ segments = [], words = [] }) {
  const left = new Map([undefined, 0, 1].map((channel) => [channel, words.filter((word) => word.channel === channel)]));
  return segments.map((segment, i) => {
    const own = [];
    const queue = left.get(segment.channel);
    const last = !segments.slice(i + 1).some((later) => later.channel === segment.channel);
    while (queue.length && (last || (queue[0].start + queue[0].end) / 2 <= segment.end)) own.push(queue.shift());
    return { ...segment, words: own };
  });
}

/** The time of a segment, and its channel if channels were decoded separately. */
function placeOf({ start, end, channel }) {
  const times = `${clock(start)} – ${clock(end)}`;
  return channel === undefined ? times : `${times} · ${say(channel === 0 ? "left_channel" : "right_channel")}`;
}

/** Fills the list; onPlay gets an index, onWord a word. */
export function list(segments, onPlay, onWord) {
  const row = byId("segment-row").content;
  byId("segments").replaceChildren(...segments.map((segment, index) => {
    const item = row.cloneNode(true).firstElementChild;
    const play = item.querySelector(".segment-play");
    play.addEventListener("click", () => onPlay(index));
    item.querySelector(".segment-name").textContent = say("play_number", { number: index + 1 });
    item.querySelector(".segment-time").textContent = placeOf(segment);
    const text = item.querySelector(".segment-text");
    for (const word of segment.words) text.append(wordElement(word, onWord), " ");
    if (!segment.words.length) text.textContent = segment.text;
    return item;
  }));
}

/** The index of the segment that contains a time, or -1. */
export const segmentAt = (segments, seconds) =>
  segments.findIndex((segment) => seconds >= segment.start && seconds < segment.end);

/** Highlights a row (-1: none). */
export function follow(index) {
  for (const [i, item] of [...byId("segments").children].entries()) item.toggleAttribute("data-now", i === index);
}
