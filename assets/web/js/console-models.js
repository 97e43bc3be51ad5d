// Speech models: an installation's progress as it comes, a checkpoint that is sent with its progress, and a sentence into
// the microphone. Without scripts the page shows the same when it is loaded again.
import { byId } from "./dom.js";
import { record } from "./recorder.js";
import { labelCells } from "./tables.js";

// The section of the page is fetched again when the installation enters another phase.
async function refresh(id = "models") {
  const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(id);
  if (!fresh) return;
  byId(id).replaceWith(fresh);
  for (const table of fresh.querySelectorAll("table.data")) labelCells(table);
}

const megabytes = (bytes) => `${(bytes / (1 << 20)).toFixed(bytes < 100 << 20 ? 1 : 0)} MiB`;

function show({ phase, done, size }) {
  if (phase !== byId("models").dataset.phase) return refresh().catch(() => {});
  const bar = byId("model-progress");
  if (!bar || !size) return undefined;
  bar.value = (100 * done) / size;
  byId("model-done").textContent = `${megabytes(done)} / ${megabytes(size)}`;
  return undefined;
}

// A voice's download; its section is fetched again in another phase.
function showVoice({ phase, done, size }) {
  if (phase !== byId("voices")?.dataset.phase) return refresh("voices").catch(() => {});
  const bar = byId("voice-progress");
  if (!bar || !size) return undefined;
  bar.value = (100 * done) / size;
  byId("voice-done").textContent = `${megabytes(done)} / ${megabytes(size)}`;
  return undefined;
}

const live = byId("models")?.dataset.live;
if (live) {
  const source = new EventSource(live);
  let opened = false;
  source.addEventListener("open", () => { // the page has what happened before the connection
    if (opened || byId("models").dataset.phase) refresh().catch(() => {});
    opened = true;
  });
  source.addEventListener("model", ({ data }) => show(JSON.parse(data)));
  source.addEventListener("voice", ({ data }) => showVoice(JSON.parse(data)));
  addEventListener("pagehide", () => source.close());
}

// A checkpoint has gigabytes: the upload's progress is shown, which a form alone can't.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "model-upload") return;
  event.preventDefault();
  const bar = byId("upload-progress");
  const button = form.querySelector("button");
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "application/json");
  request.responseType = "json";
  request.upload.addEventListener("progress", ({ loaded, total }) => { bar.value = (100 * loaded) / total; });
  request.addEventListener("loadend", () => {
    if (request.response?.next) location.assign(request.response.next);
    else location.reload();
  });
  bar.hidden = false;
  button.disabled = true;
  request.send(new FormData(form));
});

// A sentence into the microphone is sent as the form's file.
const button = byId("trial-record");
let recording = null;

function time(level, seconds) {
  byId("trial-say").textContent = `${seconds.toFixed(0)} s`;
  if (seconds > 55 && recording) finish().catch(() => {});
}

async function finish() {
  const running = recording;
  recording = null;
  const sound = await running.stop();
  const files = new DataTransfer();
  files.items.add(new File([sound], "sentence.wav", { type: "audio/wav" }));
  byId("f-file").files = files.files;
  byId("model-trial").requestSubmit();
}

button?.addEventListener("click", async () => {
  if (recording) return finish();
  try {
    recording = await record("", time);
    button.querySelector("span").textContent = button.dataset.stop;
  } catch {
    byId("trial-say").textContent = button.dataset.denied;
  }
  return undefined;
});
