// Uses a library or program that was written for OpenAI's audio API with the API below /v1, and prints the results as JSON.
//
// usage: node v1_clients.mjs CLIENT PACKAGES BASE_URL KEY RECORDING
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";

const [client, folder, baseURL, apiKey, path] = process.argv.slice(2);
const recording = fs.readFileSync(path);
const thanks = "شكرا جزيلا مع السلامة";

// vercel uses Vercel's AI SDK.
async function vercel() {
  const require = createRequire(folder + "/");
  const ai = require("ai");
  const { createOpenAI } = require("@ai-sdk/openai");
  const openai = createOpenAI({ baseURL, apiKey });
  const transcribe = (audio, { model = "whisper-1", provider = openai, ...settings } = {}) =>
    ai.experimental_transcribe({
      model: provider.transcription(model),
      audio,
      maxRetries: 0,
      providerOptions: { openai: settings },
    });
  const failure = async (call) => {
    try {
      await call();
    } catch (e) {
      return [e.name, e.statusCode, e.message];
    }
    return null;
  };
  const { text, segments, language, durationInSeconds } = await transcribe(recording, {
    language: "ar",
    timestampGranularities: ["word"],
  });
  const again = await transcribe(recording, { model: "gpt-4o-transcribe" });
  const speech = await ai.experimental_generateSpeech({
    model: openai.speech("tts-1"),
    text: thanks,
    voice: "alloy",
    outputFormat: "flac",
  });
  const said = await transcribe(speech.audio.uint8Array);
  const stranger = createOpenAI({ baseURL, apiKey: "not-a-key-of-anybody" });
  return {
    text,
    other: again.text,
    verbose: [segments.map((s) => s.text).join(" "), language === undefined ? null : language, durationInSeconds],
    said: said.text,
    failures: [
      await failure(() => transcribe(recording, { provider: stranger })),
      await failure(() => transcribe(recording, { model: "whisper-7" })),
      await failure(() => transcribe(recording, { language: "fr" })),
    ],
  };
}

// n8n sends the requests of n8n's OpenAI node, whose licence keeps it out of here: a form written by form-data, which
// streams the file without a length, and JSON for speech.
async function n8n() {
  const send = (method, route, headers, pieces = []) =>
    new Promise((resolve, reject) => {
      const headersOfAll = { Authorization: `Bearer ${apiKey}`, Accept: "application/json,text/html,*/*", "User-Agent": "axios/1.12.0" };
      const request = http.request(baseURL + route, { method, headers: { ...headersOfAll, ...headers } }, (response) => {
        const got = [];
        response.on("data", (piece) => got.push(piece));
        response.on("end", () => resolve({ status: response.statusCode, body: Buffer.concat(got) }));
      });
      request.on("error", reject);
      for (const piece of pieces) request.write(piece);
      request.end();
    });
  const transcribe = async (file, fields = {}) => {
    const boundary = "--------------------------" + "271828182845904523536028";
    const part = (name, more = "") => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`;
    const pieces = Object.entries({ model: "whisper-1", ...fields }).map(([name, value]) => `${part(name)}\r\n${value}\r\n`);
    pieces.push(part("file", '; filename="صوت.flac"') + "Content-Type: audio/flac\r\n\r\n", file, `\r\n--${boundary}--\r\n`);
    const { status, body } = await send("POST", "/audio/transcriptions", { "Content-Type": `multipart/form-data; boundary=${boundary}` }, pieces);
    const answer = JSON.parse(body);
    return status === 200 ? answer : ["NodeApiError", status, answer.error.message];
  };
  const models = JSON.parse((await send("GET", "/models", {})).body).data; // the test of the credentials, the list to choose from
  const speech = await send("POST", "/audio/speech", { "Content-Type": "application/json" }, [
    JSON.stringify({ model: "tts-1", input: thanks, voice: "alloy", response_format: "mp3", speed: 1 }),
  ]);
  return {
    models: models.map((m) => m.id),
    text: (await transcribe(recording, { language: "ar", temperature: "0.5" })).text,
    said: (await transcribe(speech.body)).text,
    failures: [await transcribe(recording, { language: "fr" })],
  };
}

console.log(JSON.stringify(await { vercel, n8n }[client]()));
