// The scenarios' pages: sentences are played in place, the line of a fault is marked in the JSON, and the editor is
// started. Without scripts the first are links to their audio, the second leads to the editor.
const sound = new Audio();
let playing = null;

function stop() {
  playing?.classList.remove("playing");
  playing = null;
  sound.pause();
}

for (const event of ["ended", "error"]) sound.addEventListener(event, stop);

// addressOf returns the URL of a sentence's audio; in the editor, of its current text.
function addressOf(hear) {
  const field = document.getElementById(hear.dataset.hear ?? "");
  const address = new URL(hear.href);
  if (field?.value.trim()) address.searchParams.set("text", field.value.trim());
  return address.href;
}

document.addEventListener("click", (event) => {
  const hear = event.target.closest("a.hear");
  if (!hear) return;
  event.preventDefault();
  const again = hear === playing;
  stop();
  if (again) return;
  playing = hear;
  hear.classList.add("playing");
  sound.src = addressOf(hear);
  sound.play().catch(stop);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-line]");
  const editor = document.getElementById("json");
  if (!link || !editor) return;
  event.preventDefault();
  const lines = editor.value.split("\n");
  const line = Math.min(Number(link.dataset.line), lines.length);
  const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  editor.focus();
  editor.setSelectionRange(from, from + lines[line - 1].length);
  editor.scrollTop = (line - 6) * (editor.scrollHeight / lines.length);
});

const recorder = document.querySelector("[data-recorder]");
if (recorder) import("./console-recorder.js").then(({ startRecorder }) => startRecorder(recorder));

const form = document.querySelector("form[data-editor]");
if (form) import("./console-editor.js").then(({ startEditor }) => startEditor(form));
