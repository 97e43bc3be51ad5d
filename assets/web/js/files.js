// Copy and download.
import { srt, txt, vtt } from "./captions.js";
import { byId, make, say } from "./dom.js";

const makers = {
  txt: ({ body }) => [txt(body), "text/plain"],
  srt: ({ segments }) => [srt(segments), "application/x-subrip"],
  vtt: ({ segments }) => [vtt(segments), "text/vtt"],
  json: ({ body }) => [`${JSON.stringify(body, null, 2)}\n`, "application/json"],
};

function download(result, kind) {
  const [content, type] = makers[kind](result);
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = make("a", { href: url, download: `${result.name.replace(/\.[^.]*$/, "") || "munadi"}.${kind}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function copy(text) {
  const label = byId("copy-label");
  const before = label.textContent;
  const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  label.textContent = say(copied ? "copied" : "copy_failed");
  setTimeout(() => { label.textContent = before; }, 2000);
}

/** Sets the buttons up; current() is {name, body, segments}. */
export function startFiles(current) {
  byId("copy").addEventListener("click", () => copy(current().body.text));
  for (const button of document.querySelectorAll("[data-download]")) {
    button.addEventListener("click", () => download(current(), button.dataset.download));
  }
}

/** Formats with times need segments; without any only txt and json make sense. */
export function allowCaptions(allowed) {
  for (const kind of ["srt", "vtt"]) document.querySelector(`[data-download="${kind}"]`).disabled = !allowed;
}
