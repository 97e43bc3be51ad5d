// The service's two requests that this page makes. Nothing here changes the page.
import { events } from "./sse.js";

/** An error response of the service: status, message and request id. */
export class ServiceError extends Error {
  constructor(status, { detail = "", requestId = "", retryAfter = 0 } = {}) {
    super(detail || `HTTP ${status}`);
    Object.assign(this, { status, detail, requestId, retryAfter });
  }
}

/** The stream ended before its last event. */
export class BrokenStream extends Error {}

function form(file, fields) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
  body.append("file", file, file.name);
  return body;
}

// A 422 lists violations; their messages are shown.
function sentence(detail) {
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail)) return detail.map((item) => item.msg ?? "").filter(Boolean).join(" · ");
  return "";
}

async function post(path, body, { key, session, mode, accept, signal }) {
  const headers = { Authorization: `Bearer ${key}`, Accept: accept ?? "application/json" };
  if (session) headers["x-session-id"] = session;
  if (mode) headers["x-session-mode"] = mode;
  const response = await fetch(path, { method: "POST", headers, body, signal, credentials: "omit" });
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new ServiceError(response.status, {
    detail: sentence(answer.detail),
    requestId: response.headers.get("x-request-id") ?? "",
    retryAfter: Number(response.headers.get("retry-after")) || 0,
  });
}

// Once a stream has begun its status is 200; a later failure is an event with the status that it would have had.
function failureOf({ error, detail }, response) {
  const statuses = { "Request Entity Too Large": 413, "Too Many Requests": 429, "Service Unavailable": 503 };
  return new ServiceError(Array.isArray(detail) ? 422 : statuses[error?.code] ?? 500, {
    detail: sentence(detail) || error?.message,
    requestId: response.headers.get("x-request-id") ?? "",
  });
}

/** Asks whether a key may use the service; its refusal is a ServiceError. */
export async function checkKey(key) {
  const response = await fetch("/compat/v1/models", { headers: { Authorization: `Bearer ${key}` }, credentials: "omit" });
  if (response.ok) return;
  throw new ServiceError(response.status, {
    requestId: response.headers.get("x-request-id") ?? "",
    retryAfter: Number(response.headers.get("retry-after")) || 0,
  });
}

/** Transcribes a file as a stream. onDelta gets each finished piece. Resolves to {text, duration, segments, words, mode}. */
export async function stream(file, options, onDelta) {
  const { channels = "mix" } = options;
  const body = form(file, { model: "svc-stt", language: "ar", response_format: "verbose_json", stream: true, channels });
  const response = await post("/compat/v1/audio/transcriptions", body, { ...options, accept: "text/event-stream" });
  const mode = response.headers.get("x-session-mode") ?? "default";
  for await (const event of events(response)) {
    if (event.type === "transcript.text.delta") onDelta(event.delta);
    else if (event.type === "transcript.text.done") return { ...event, mode };
    else if (event.type === "error") throw failureOf(event, response);
  }
  throw new BrokenStream();
}

/** Decodes a file by every decoder; returns the results of RNNT, CTC and hybrid for each segment. */
export async function decode(file, parameters, options) {
  return (await post("/debug/decode", form(file, parameters), options)).json();
}
