// Uses OpenAI's own Node client with the API below /v1 as its documentation shows, and prints what it got as JSON.
//
// usage: node openai_v1.mjs PACKAGE BASE_URL KEY RECORDING TWO_CHANNELS
import fs from "node:fs";
import { createRequire } from "node:module";

const [folder, baseURL, apiKey, path, two] = process.argv.slice(2);
const { OpenAI } = createRequire(folder + "/")("openai");
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const transcribe = (changes = {}, recording = path) =>
  client.audio.transcriptions.create({ model: "whisper-1", file: fs.createReadStream(recording), ...changes });
const out = {};

out.models = (await client.models.list()).data.map((m) => m.id);
out.model = (await client.models.retrieve("gpt-4o-transcribe")).id;
out.json = (await transcribe({ model: "gpt-4o-transcribe", language: "ar" })).text;
for (const format of ["text", "srt", "vtt"]) out[format] = await transcribe({ response_format: format });
let verbose = await transcribe({ response_format: "verbose_json" });
out.verbose = [verbose.text, verbose.language, verbose.duration, verbose.segments.length, verbose.words ?? null];
verbose = await transcribe({ response_format: "verbose_json", timestamp_granularities: ["word"] });
out.words = verbose.words.map((w) => w.word);
const diarized = await transcribe(
  { model: "gpt-4o-transcribe-diarize", response_format: "diarized_json", chunking_strategy: "auto" },
  two,
);
out.diarized = ["TranscriptionDiarized", ...diarized.segments.map((s) => [s.type, s.id, s.speaker, s.start < s.end, s.text])];

out.deltas = [];
for await (const event of await transcribe({ model: "gpt-4o-mini-transcribe", stream: true, include: ["logprobs"] })) {
  if (event.type === "transcript.text.delta") out.deltas.push(event.delta);
  else out.done = [event.type, event.text, event.logprobs.length];
}

const spoken = await client.audio.speech.create({
  model: "tts-1",
  voice: "alloy",
  input: "شكرا جزيلا مع السلامة",
  response_format: "flac",
});
const sound = Buffer.from(await spoken.arrayBuffer());
out.speech = {
  flac: [
    spoken.headers.get("content-type"),
    (await client.audio.transcriptions.create({ model: "whisper-1", file: await OpenAI.toFile(sound, "said.flac") })).text,
  ],
};

const failure = async (call) => {
  try {
    await call();
  } catch (e) {
    return [e.constructor.name, e.status, e.type, e.param, e.code];
  }
  return null;
};
const stranger = new OpenAI({ baseURL, apiKey: "not-a-key-of-anybody", maxRetries: 0 });
out.failures = [
  await failure(() => stranger.models.list()),
  await failure(() => transcribe({ model: "whisper-7" })),
  await failure(() => transcribe({ language: "fr" })),
  await failure(() => transcribe({ response_format: "diarized_json" })),
];
console.log(JSON.stringify(out));
