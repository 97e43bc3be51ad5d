// The editor of scenarios: values as chips, the step in hand on the map, fields that appear with the kind of a step or
// answer, faults that are opened and focused, and a question before changes are lost. Without scripts lines show
// {{name}}, and "Check" does the rest.
import { byId } from "./dom.js";
import { startChips } from "./console-chips.js";

/** Opens what folds an element. */
function unfold(element) {
  for (let at = element; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
}

/** Opens and focuses the input, or the card, that a fault is about. */
function goTo(id) {
  const target = byId(id);
  if (!target) return;
  unfold(target);
  const input = target.chipLine ?? target;
  if (!input.matches("input, select, textarea, [contenteditable]")) input.tabIndex = -1;
  input.scrollIntoView({ block: "center" });
  input.focus({ preventScroll: true });
}

/** Asks before the page is left with changes. Every submission of the form keeps them. */
function askBeforeLeaving(form) {
  let unsaved = "unsaved" in form.dataset;
  let sent = false;
  form.addEventListener("input", () => { unsaved = true; });
  form.addEventListener("submit", () => {
    sent = true;
    setTimeout(() => { sent = false; }, 4000); // a download, or a connection that broke, leaves the page where it is
  });
  window.addEventListener("beforeunload", (event) => {
    if (unsaved && !sent) event.preventDefault();
  });
}

/** Submits the draft when a choice decides which fields there are, and comes back to its card. */
function refreshOnChange(form) {
  form.addEventListener("change", ({ target }) => {
    if (!target.matches("[data-refresh]")) return;
    const check = byId("editor-check");
    const place = target.closest(".step-form, details[id]")?.id ?? "editor";
    check.formAction = check.formAction.replace(/#.*|$/, `#${place}`);
    form.requestSubmit(check);
  });
}

/** Lights the step in hand on the map. */
function followStep(form) {
  const light = (card) => {
    const index = card?.id.replace("card-", "");
    for (const box of document.querySelectorAll(".flow-map a[data-step]")) {
      box.classList.toggle("here", box.dataset.step === index);
    }
    const here = document.querySelector(".flow-map a.here");
    const picture = here?.closest(".flow-picture");
    if (picture) picture.scrollTop += here.getBoundingClientRect().top - picture.getBoundingClientRect().top - picture.clientHeight / 3;
  };
  form.addEventListener("focusin", ({ target }) => {
    const card = target.closest(".step-form");
    if (card) light(card);
  });
  const shown = byId(location.hash.slice(1));
  if (shown?.matches(".step-form")) light(shown);
}

/** Shows the typed trial's last words, keeps the answer's field in hand, and answers by Enter, which would press the
    form's first button. */
function talkByTyping() {
  const answer = byId("try-text");
  const turns = document.querySelector("#try .turns");
  if (turns) turns.scrollTop = turns.scrollHeight;
  answer?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    document.querySelector('[value="try-say"]').click();
  });
  if (!answer || location.hash !== "#try") return;
  answer.focus({ preventScroll: true });
  document.querySelector('[value="try-hangup"]').scrollIntoView({ block: "nearest" });
}

/** Starts the editor. */
export function startEditor(form) {
  const words = JSON.parse(form.dataset.editor);
  startChips(form, words);
  askBeforeLeaving(form);
  refreshOnChange(form);
  followStep(form);
  talkByTyping();
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-fault]");
    if (!link) return;
    event.preventDefault();
    goTo(decodeURIComponent(link.hash.slice(1)));
  });
  const shown = byId(decodeURIComponent(location.hash.slice(1)));
  if (shown) unfold(shown);
  const first = form.querySelector('[aria-invalid="true"]');
  if (first && document.querySelector("a[data-fault]") && !document.querySelector("[data-recorder], #test-results")) goTo(first.id);
}
