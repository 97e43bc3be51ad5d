// Uses OpenAI's own Node client as its documentation shows, and prints what it got as JSON.
//
// usage: node openai_client.mjs PACKAGE BASE_URL KEY RECORDING
import fs from "node:fs";
import { createRequire } from "node:module";

const [folder, baseURL, apiKey, path] = process.argv.slice(2);
const { OpenAI } = createRequire(folder + "/")("openai");
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const file = () => fs.createReadStream(path);
const out = {};

out.models = (await client.models.list()).data.map((m) => m.id);
out.model = (await client.models.retrieve("svc-stt")).id;
out.json = (await client.audio.transcriptions.create({ model: "svc-stt", file: file() })).text;
out.text = await client.audio.transcriptions.create({ model: "svc-stt", file: file(), response_format: "text" });
const verbose = await client.audio.transcriptions.create({
  model: "svc-stt",
  file: file(),
  language: "ar",
  response_format: "verbose_json",
  timestamp_granularities: ["word", "segment"],
});
out.verbose = verbose.text;
out.duration = Number(verbose.duration);
out.language = verbose.language;
out.segments = verbose.segments.map((s) => [s.id, s.start, s.end, s.text, s.avg_logprob, s.tokens]);
out.words = verbose.words.map((w) => [w.word, w.start, w.end]);

out.stream = { deltas: [], done: null };
for await (const event of await client.audio.transcriptions.create({ model: "svc-stt", file: file(), stream: true })) {
  if (event.type === "transcript.text.delta") out.stream.deltas.push(event.delta);
  if (event.type === "transcript.text.done") out.stream.done = { text: event.text, seconds: event.usage.seconds };
}

async function failure(key, changes) {
  try {
    const other = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 });
    await other.audio.transcriptions.create({ model: "svc-stt", file: file(), ...changes });
  } catch (e) {
    return [e.constructor.name, e.status];
  }
  return null;
}
const words = await OpenAI.toFile(Buffer.from("these are words"), "notes.txt").catch(() => null);
out.failures = [
  await failure("not-a-key-of-anybody", {}),
  await failure(apiKey, { model: "whisper-1" }),
  words && (await failure(apiKey, { file: words })),
];
console.log(JSON.stringify(out));
