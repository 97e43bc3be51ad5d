// The API key: stored in this tab's sessionStorage; its form is collapsed once there is one.
import { byId } from "./dom.js";

const slot = "munadi.key";

/** The key of this tab, or "". */
export const currentKey = () => sessionStorage.getItem(slot) ?? "";

/** Opens and focuses the field, and marks a refused key as wrong, which is then removed. */
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

/** Sets the field up; kept is called when a key was entered, forgotten when it was removed. */
export function startKey(kept, forgotten = () => {}) {
  const input = byId("key");
  byId("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem(slot, input.value.trim());
    input.value = "";
    input.removeAttribute("aria-invalid");
    fold();
    byId("record")?.focus();
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
    forgotten();
  });
  fold();
}
