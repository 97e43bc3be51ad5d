// Finding and making elements.

/** The element with this id, which the page must have. */
export const byId = (id) => document.getElementById(id);

/** A new element with a class, text and attributes; text never becomes markup. */
export function make(tag, { className = "", text, ...attributes } = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Words of the page's language by key; {name} in them is filled from values. */
export function say(key, values = {}) {
  const source = byId("messages").content.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!source) throw new Error(`no message ${key}`);
  return source.textContent.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Scrolls to an element unless all of it is on show. */
export function bringIntoView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  if (top >= 0 && bottom <= window.innerHeight) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
}

/** Seconds as 1:02.3, the way the player shows them. */
export function clock(seconds, digits = 1) {
  const scale = 10 ** digits;
  const ticks = Math.max(0, Math.floor(seconds * scale + 1e-6));
  const minutes = Math.floor(ticks / (60 * scale));
  const rest = ((ticks % (60 * scale)) / scale).toFixed(digits).padStart(digits ? digits + 3 : 2, "0");
  return numerals(`${minutes}:${rest}`);
}

/** A number in the page's digits (data-digits of the document), as the server formats all others. */
export function numerals(text) {
  if (document.documentElement.dataset.digits !== "arab") return text;
  return text.replace(/[0-9]/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[digit]);
}
