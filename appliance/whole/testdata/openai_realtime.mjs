// Uses OpenAI's own Node client to transcribe live sound, and prints what it got as JSON. It always speaks TLS:
// NODE_EXTRA_CA_CERTS names the root that vouches for the service.
//
// usage: openai_realtime.mjs PACKAGES BASE_URL KEY RECORDING   (pcm16, 24 kHz, mono, bare)
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [folder, baseURL, apiKey, path] = process.argv.slice(2);
const require = createRequire(folder + "/");
const { OpenAI } = require("openai");
const { OpenAIRealtimeWS } = require("openai/realtime/ws");
const { OpenAIRealtimeWS: OpenAIRealtimeBeta } = require("openai/beta/realtime/ws");

const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const sound = Buffer.concat([readFileSync(path), Buffer.alloc(48000)]);

// speak sends the recording in pieces of 200 ms and a second of silence.
function speak(connection) {
  for (let i = 0; i < sound.length; i += 9600) {
    connection.send({ type: "input_audio_buffer.append", audio: sound.subarray(i, i + 9600).toString("base64") });
  }
}

// talk runs one session: an update when it is there, sound when that is answered, until so many items are transcribed.
function talk(connection, update, items, commit) {
  const got = { types: [], deltas: {}, texts: {}, order: [], usage: [], spans: [] };
  return new Promise((done, fail) => {
    connection.on("error", fail);
    connection.on("event", (event) => {
      if (items === 0) return;
      if (!/session/.test(event.type)) got.types.push(event.type);
      const kind = event.type.split(".").at(-1);
      if (event.type.endsWith("session.created")) connection.send(update);
      if (kind === "updated") {
        speak(connection);
        if (commit) connection.send({ type: "input_audio_buffer.commit" });
      }
      if (kind === "speech_started") got.spans.push([event.audio_start_ms]);
      if (kind === "speech_stopped") got.spans.at(-1).push(event.audio_end_ms);
      if (kind === "committed") got.order.push([event.previous_item_id, event.item_id]);
      if (kind === "delta") got.deltas[event.item_id] = (got.deltas[event.item_id] ?? "") + event.delta;
      if (kind !== "completed") return;
      got.texts[event.item_id] = event.transcript;
      got.usage.push(event.usage.seconds);
      if (--items === 0) {
        connection.close();
        done({ heard: got });
      }
    });
  });
}

const input = {
  format: { type: "audio/pcm", rate: 24000 },
  transcription: { model: "gpt-4o-transcribe", language: "ar", prompt: "برجر, بطاطس" },
  turn_detection: { type: "server_vad", threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 500 },
};
const out = {};
out.present = await talk(
  new OpenAIRealtimeWS({ intent: "transcription" }, client),
  { type: "session.update", session: { type: "transcription", audio: { input } } }, 2, false,
);
out.beta = await talk(
  new OpenAIRealtimeBeta({ model: "svc-stt", options: { headers: { "OpenAI-Beta": "realtime=v1" } } }, client),
  { type: "transcription_session.update", session: { input_audio_format: "pcm16", turn_detection: null } }, 1, true,
);

const wrong = new OpenAIRealtimeWS({ intent: "transcription" }, new OpenAI({ baseURL, apiKey: "not-a-key-of-anybody" }));
out.refused = await new Promise((done) => wrong.on("error", (e) => done(e.message)));

const told = new OpenAIRealtimeWS({ intent: "transcription" }, client);
out.error = await new Promise((done) => {
  told.on("session.created", () => told.send({ type: "response.create", event_id: "mine" }));
  told.on("error", (e) => done([e.error.type, e.error.code, e.error.param, e.error.event_id]));
});
told.close();
console.log(JSON.stringify(out));
