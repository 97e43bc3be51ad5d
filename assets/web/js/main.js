// The demo page: a recording is transcribed as a stream, and its segments can be played and compared.
import { checkKey, decode, stream } from "./api.js";
import { startCapture } from "./capture.js";
import { clearReadings, parameters, showReadings } from "./compare.js";
import { byId, clock, say } from "./dom.js";
import { allowCaptions, startFiles } from "./files.js";
import { startIntake } from "./intake.js";
import { askForKey, currentKey, startKey } from "./key.js";
import * as player from "./player.js";
import { longest } from "./recorder.js";
import * as rows from "./segments.js";
import { drawable, samplesOf } from "./sound.js";
import { startTheme } from "./theme.js";
import * as stage from "./transcript.js";
import { hideTrouble, tell, tellError } from "./trouble.js";
import * as wave from "./waveform.js";

const restaurant = byId("restaurant");
const session = `demo-${crypto.randomUUID?.() ?? Math.random().toString(36).slice(2)}`;
let work = null; // the AbortController of what is running
let current = null; // {name, file, body, segments}

const options = () => ({
  key: currentKey(), session, mode: restaurant.checked ? "restaurant" : "default", signal: work?.signal,
  channels: byId("channels").value,
});

function ready() {
  if (currentKey()) return true;
  askForKey();
  tell({ code: "key_needed" });
  return false;
}

function fail(error) {
  if (error.name === "AbortError") return;
  if (error.status === 401 || error.status === 403) askForKey({ wrong: true });
  tellError(error);
}

async function take(file) {
  if (!ready()) return;
  const limit = Number(byId("desk").dataset.maxBytes);
  if (limit && file.size > limit) return tell({ code: "413" });
  work?.abort();
  const mine = (work = new AbortController());
  hideTrouble();
  player.stop();
  byId("player").hidden = true;
  stage.announce();
  stage.begin(say("sending"));
  let saying = "";
  try {
    saying = await transcribe(file, mine.signal);
  } catch (error) {
    if (mine !== work) return;
    fail(error);
  }
  if (mine === work) stage.finish(mine.signal.aborted ? say("cancelled") : saying);
}

// Streams the text, then shows the waveform; resolves to the final text of the status line.
async function transcribe(file, signal) {
  current = null;
  const started = performance.now();
  const sound = file.size > drawable ? Promise.resolve(null) : samplesOf(file);
  let soFar = "";
  const done = await stream(file, options(), (delta) => {
    soFar += delta;
    stage.append(delta);
    stage.working(say("streaming"));
    current = { name: file.name, file, body: { text: soFar.trim() }, segments: [] };
  });
  signal.throwIfAborted();
  restaurant.checked = done.mode === "restaurant";
  byId("mode").hidden = done.mode !== "restaurant";
  const wall = (performance.now() - started) / 1000;
  current = { name: file.name, file, body: { text: done.text }, segments: [] };
  if (!done.text.trim()) tell({ code: "nothing_heard" });
  await showSound(file, await sound, verboseOf(done), signal);
  return say("speed", { seconds: done.duration.toFixed(1), wall: wall.toFixed(1) });
}

// The body of a verbose_json answer without a stream, which is downloaded.
function verboseOf({ duration, text, segments, words }) {
  return { task: "transcribe", language: "ar", duration, text, segments, words };
}

async function showSound(file, samples, body, signal) {
  signal.throwIfAborted();
  const segments = rows.segmentsOf(body);
  current = { name: file.name, file, body, segments };
  allowCaptions(segments.length > 0);
  byId("player").hidden = false;
  clearReadings();
  const playable = await player.load(file, (now, playing) => {
    const index = now > 0 || playing ? rows.segmentAt(segments, now) : -1;
    wave.follow(index, now);
    rows.follow(index);
    stage.follow(now, playing);
  });
  signal.throwIfAborted();
  const duration = (samples && samples.length / 16000) || player.length() || body.duration;
  byId("length").textContent = clock(duration);
  byId("now").textContent = clock(0);
  byId("play").disabled = !playable;
  note(playable, samples, file);
  wave.show(samples, duration);
  showRows(segments);
  wave.follow(-1, 0);
  if (segments.some((segment) => segment.words.length)) stage.showWords(segments, playWord);
}

const playWord = (word) => player.playFrom(word.start, word.end);

function showRows(segments) {
  const playSegment = (i) => player.playFrom(segments[i].start, segments[i].end);
  wave.mark(segments, playSegment);
  rows.list(segments, playSegment, playWord);
}

function note(playable, samples, file) {
  const text = !playable ? say("no_sound") : !samples && file.size > drawable ? say("big_file") : "";
  byId("wave-note").textContent = text;
  byId("wave-note").hidden = !text;
}

async function compare(event) {
  event.preventDefault();
  if (!current || !ready()) return;
  const shown = current;
  const button = byId("compare-run");
  button.disabled = true;
  byId("compare-status").textContent = say("comparing");
  try {
    const answer = await decode(shown.file, parameters(), { key: currentKey() });
    if (shown !== current) return;
    if (!shown.segments.length) showRows(rows.segmentsOf(answer));
    showReadings(answer, shown.segments.length ? shown.segments : answer.segments);
  } catch (error) {
    byId("compare-status").textContent = "";
    fail(error);
  } finally {
    button.disabled = false;
  }
}

startTheme(() => wave.draw());
startKey(() => {
  hideTrouble();
  checkKey(currentKey()).catch(fail); // a wrong key is known before anything is recorded or sent
});
startFiles(() => current);
startIntake(take, fail);
startCapture({
  ready, take, failed: fail,
  full: () => { byId("status").textContent = say("recording_full", { minutes: longest / 60 }); },
});
byId("cancel").addEventListener("click", () => work?.abort());
byId("notice-close").addEventListener("click", hideTrouble);
byId("compare").addEventListener("submit", compare);
byId("wave").addEventListener("click", (event) => {
  if (event.target.id === "wave-canvas" || event.target.id === "bands") player.playFrom(wave.timeAt(event));
});
