// The transcript as files: txt, srt, vtt. A cue is short enough to read: a long segment is split between its words.

const longestCue = 84; // characters: two lines of 42
const slowestCue = 7; // seconds

/** Cues {start, end, text} from segments with words. */
function cues(segments) {
  return segments.flatMap((segment) => {
    const { start, end, text, words } = segment;
    if (!text) return [];
    if (!words.length || (text.length <= longestCue && end - start <= slowestCue)) return [{ start, end, text }];
    return split(words);
  });
}

function split(words) {
  const out = [];
  for (const { word, start, end } of words) {
    const cue = out.at(-1);
    if (cue && cue.text.length + word.length < longestCue && end - cue.start <= slowestCue) {
      cue.text += ` ${word}`;
      cue.end = end;
    } else {
      out.push({ start, end, text: word });
    }
  }
  return out;
}

function stamp(seconds, comma) {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const two = (n) => String(Math.floor(n)).padStart(2, "0");
  const rest = String(ms % 1000).padStart(3, "0");
  return `${two(ms / 3600000)}:${two((ms / 60000) % 60)}:${two((ms / 1000) % 60)}${comma}${rest}`;
}

/** SubRip. */
export const srt = (segments) =>
  cues(segments).map((cue, i) => `${i + 1}\n${stamp(cue.start, ",")} --> ${stamp(cue.end, ",")}\n${cue.text}\n`).join("\n");

/** WebVTT. */
export const vtt = (segments) =>
  ["WEBVTT\n", ...cues(segments).map((cue) => `${stamp(cue.start, ".")} --> ${stamp(cue.end, ".")}\n${cue.text}\n`)].join("\n");

/** Plain text and a newline, as response_format=text has it. */
export const txt = (result) => `${result.text}\n`;
