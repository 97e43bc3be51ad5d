// How a file gets onto the page: the button, a drop anywhere, an example.
import { byId } from "./dom.js";

function startDrop(take) {
  const veil = byId("drop");
  let depth = 0;
  const carries = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const over = (change) => (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    depth = Math.max(0, depth + change);
    veil.hidden = depth === 0;
  };
  window.addEventListener("dragenter", over(1));
  window.addEventListener("dragleave", over(-1));
  window.addEventListener("dragover", over(0));
  window.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    depth = 0;
    veil.hidden = true;
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  });
}

async function fetchSample(url) {
  const response = await fetch(url);
  const name = url.split("/").pop();
  return new File([await response.blob()], name, { type: "audio/flac" });
}

/** Passes every file to take; failed gets the error of fetching an example. */
export function startIntake(take, failed) {
  const input = byId("file");
  byId("upload").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const [file] = input.files;
    input.value = ""; // the same file may be chosen again
    if (file) take(file);
  });
  for (const button of document.querySelectorAll("[data-sample]")) {
    button.addEventListener("click", () => fetchSample(button.dataset.sample).then(take, failed));
  }
  startDrop(take);
}
