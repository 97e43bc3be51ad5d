// The console's frame, on every page: the appearance switch, copy buttons, what forms ask before they are sent, and the
// names of columns for the cards that tables become on a telephone. Pages work without it.
import { byId } from "./dom.js";
import { startTheme } from "./theme.js";
import { labelCells } from "./tables.js";
import { startPalette } from "./palette.js";
import { followAlerts } from "./alerts.js";
import { countOn } from "./ago.js";
import { sendWhenReached } from "./reach.js";

startPalette(byId("palette-open"));
if (byId("palette-open")) followAlerts();

// <input data-timezone> begins with the browser's time zone.
for (const field of document.querySelectorAll("input[data-timezone]")) {
  field.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

if (byId("theme")) startTheme(() => document.dispatchEvent(new Event("themechange")));

for (const table of document.querySelectorAll("table.data")) labelCells(table);

countOn();

sendWhenReached(byId("server-unreached"));

// <button data-copy="#id"> takes the element's text, or value, to the clipboard and says so for a moment.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  const text = source?.value ?? source?.textContent ?? "";
  try {
    await navigator.clipboard.writeText(text.trim());
  } catch {
    getSelection().selectAllChildren(source); // no clipboard over plain HTTP: the text is selected instead
    return;
  }
  const word = button.querySelector("[data-copied]") ?? button;
  const before = word.textContent;
  word.textContent = word.dataset.copied ?? before;
  setTimeout(() => { word.textContent = before; }, 1600);
});

// <a data-dialog="id"> leads to a page that asks; with scripts the <dialog> of that id asks in place.
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog]");
  const dialog = opener && byId(opener.dataset.dialog);
  if (dialog) {
    event.preventDefault();
    dialog.showModal();
  }
  if (event.target.closest("[data-close]")) {
    event.preventDefault();
    event.target.closest("dialog")?.close();
  }
});

// <button data-print> prints the page.
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-print]")) print();
});

// <form data-submit> is submitted when a choice in it changes, and <select data-submit="id"> submits its form by that
// button; the visible buttons are for browsers without scripts.
document.addEventListener("change", ({ target }) => {
  const button = byId(target.dataset.submit);
  if (button || target.form?.hasAttribute("data-submit")) target.form.requestSubmit(button);
});

// Typing into a field of a choice (data-chooses="id" of the radio button) selects that choice; another choice clears
// the field (data-clears="id" of the field). Without scripts the server asks which of the two was meant.
document.addEventListener("input", ({ target }) => {
  const choice = byId(target.closest("[data-chooses]")?.dataset.chooses);
  if (choice && choice !== target) choice.checked = true;
  const field = byId(target.dataset.clears);
  if (field) field.value = "";
});

// The first field of a refused form is in sight and in hand. The editor of scenarios opens what folds it first; the check
// of a contact file lists faulty cells below what it asks.
const refused = document.querySelector('main [aria-invalid="true"]');
const [{ responseStatus } = {}] = performance.getEntriesByType("navigation");
const leads = document.querySelector("#editor, #check, main [autofocus]");
if (responseStatus === 422 && refused?.checkVisibility() && !leads) {
  refused.focus({ preventScroll: true });
  refused.scrollIntoView({ block: "center" });
}

// A form is submitted once: a second press on a slow connection would book a second call.
document.addEventListener("submit", (event) => {
  if (event.target.method !== "post" || event.defaultPrevented) return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "1";
  setTimeout(() => { delete event.target.dataset.sent; }, 4000);
});
