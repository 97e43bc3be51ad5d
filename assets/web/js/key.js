// The API key: kept in this tab's sessionStorage, folded away once there is one.
import { byId } from "./dom.js";

const slot = "munadi.key";

/** The key of this tab, or "". */
export const currentKey = () => sessionStorage.getItem(slot) ?? "";

/** Opens the field, puts the cursor in it, and marks it as wrong if it is: a key that was refused is kept no longer. */
export function askForKey({ wrong = false } = {}) {
  const input = byId("key");
  byId("key-form").dataset.state = "empty";
  if (wrong) {
    sessionStorage.removeItem(slot);
    input.setAttribute("aria-invalid", "true");
  }
  input.focus({ preventScroll: true }); // the notice above it says why, and is scrolled to
  input.select();
}

function fold() {
  const key = currentKey();
  byId("key-form").dataset.state = key ? "kept" : "empty";
  byId("key-tail").textContent = key.length > 12 ? `…${key.slice(-4)}` : "";
}

/** Brings the field to life; kept is called when a key was entered. */
export function startKey(kept) {
  const input = byId("key");
  byId("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem(slot, input.value.trim());
    input.value = "";
    input.removeAttribute("aria-invalid");
    fold();
    byId("record").focus();
    kept();
  });
  byId("key-show").addEventListener("click", (event) => {
    const show = input.type === "password";
    input.type = show ? "text" : "password";
    event.currentTarget.setAttribute("aria-pressed", String(show));
  });
  byId("key-change").addEventListener("click", () => askForKey());
  byId("key-forget").addEventListener("click", () => {
    sessionStorage.removeItem(slot);
    fold();
    input.focus();
  });
  fold();
}
