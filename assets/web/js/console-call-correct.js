// Correcting one word of the callee: a click, Enter or the space bar on it opens a small form below the
// turn. Without this script the whole turn is corrected.
import { byId } from "./dom.js";

/** Makes the words of turns that may be corrected open the form of a template. */
export function correctWords(template) {
  let form;
  let open; // the word whose form is open

  const close = () => {
    if (!open) return;
    form.remove();
    open.setAttribute("aria-expanded", "false");
    open.focus();
    open = undefined;
  };

  const edit = (word) => {
    if (word === open) return;
    close();
    open = word;
    open.setAttribute("aria-expanded", "true");
    const bubble = word.closest(".bubble");
    form = template.content.firstElementChild.cloneNode(true);
    form.elements.index.value = bubble.dataset.turn;
    form.elements.word.value = [...bubble.querySelectorAll(".word")].indexOf(word);
    form.elements.was.value = word.textContent;
    form.elements.content.value = word.textContent;
    word.closest(".bubble-text").after(form);
    form.querySelector("[data-close-word]").addEventListener("click", close);
    form.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
    // Playback would distract from typing.
    form.elements.content.addEventListener("input", () => byId("audio")?.pause());
    form.elements.content.select();
    form.scrollIntoView({ block: "nearest" });
  };

  for (const word of document.querySelectorAll("#bubbles [data-turn] .word")) {
    word.setAttribute("role", "button");
    word.setAttribute("aria-expanded", "false");
    word.tabIndex = 0;
    word.title = template.dataset.title;
    word.addEventListener("click", () => { if (!getSelection().toString()) edit(word); });
    // On keyup, so that a key that is held down does not submit the opened form.
    const presses = (event) => event.key === "Enter" || event.key === " ";
    word.addEventListener("keydown", (event) => { if (presses(event)) event.preventDefault(); });
    word.addEventListener("keyup", (event) => { if (presses(event)) edit(word); });
  }
}
