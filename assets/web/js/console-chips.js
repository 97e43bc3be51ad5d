// Spoken lines with values as chips: an editable line stands in for each textarea, in which {{name|date}} is a chip with
// the value's label. The textarea holds the text that is sent.
import { make } from "./dom.js";

const placeholder = /\{\{\s*([A-Za-z_]\w*)\s*(?:\|\s*(\w+)\s*)?\}\}/g;

/** The chip of a placeholder. */
function chipOf(source, name, filter, words) {
  const value = words.values?.find((one) => one.name === name);
  const label = (value?.label ?? name) + (filter ? ` · ${words.filters[filter] ?? filter}` : "");
  const chip = make("span", { className: value ? "chip-value" : "chip-value is-unknown", text: label, contenteditable: "false" });
  chip.dataset.source = source;
  chip.title = source;
  return chip;
}

/** The nodes of a text with placeholders. */
function nodesOf(text, words) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(placeholder)) {
    if (found.index > from) nodes.push(document.createTextNode(text.slice(from, found.index)));
    nodes.push(chipOf(found[0], found[1], found[2], words));
    from = found.index + found[0].length;
  }
  if (from < text.length) nodes.push(document.createTextNode(text.slice(from)));
  return nodes;
}

/** The text of an editable line: chips are their placeholders. */
function textOf(node) {
  let text = "";
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) text += child.data;
    else if (child.dataset?.source) text += child.dataset.source;
    else if (child.tagName === "BR") text += child.nextSibling ? "\n" : "";
    else text += textOf(child);
  }
  return text.replaceAll("\u00a0", " ");
}

// Where the cursor last was in each line: the menu takes it away.
const cursors = new WeakMap();

/** Notes where the cursor is in a line that has the focus. */
function noteCursor(line) {
  const selection = getSelection();
  if (!selection.rangeCount || !line?.matches(".chip-line") || !line.contains(selection.anchorNode)) return;
  cursors.set(line, selection.getRangeAt(0).cloneRange());
}
// The event comes later than the change: a click that follows a letter at once has taken the focus by then.
document.addEventListener("selectionchange", () => noteCursor(document.activeElement));

/** Puts nodes where the cursor is, or last was, in a line; at its end if it never was there. */
function insertAt(line, nodes) {
  const selection = getSelection();
  let range = cursors.get(line);
  if (!range || !line.contains(range.commonAncestorContainer)) {
    range = document.createRange();
    range.selectNodeContents(line);
    range.collapse(false);
  }
  range.deleteContents();
  for (const node of nodes) {
    range.insertNode(node);
    range.setStartAfter(node);
  }
  range.collapse(true);
  selection.removeAllRanges();
  selection.addRange(range);
}

/** A line has the direction of its text; an empty one has the page's, for what it says instead. */
function setDirection(line, area) {
  if (area.value) line.dir = "auto";
  else line.removeAttribute("dir");
}

/** The editable line that stands in for a textarea. */
function editableLine(area, words) {
  const line = make("div", {
    className: "chip-line", contenteditable: "plaintext-only", role: "textbox", "aria-multiline": "true",
    lang: area.lang, "aria-label": area.getAttribute("aria-label"), "aria-invalid": area.getAttribute("aria-invalid"),
    "data-placeholder": area.placeholder,
  });
  const described = area.getAttribute("aria-describedby");
  if (described) line.setAttribute("aria-describedby", described);
  line.append(...nodesOf(area.value, words));
  setDirection(line, area);
  line.addEventListener("input", (event) => {
    noteCursor(line);
    area.value = textOf(line);
    setDirection(line, area);
    if (line.textContent === "" && !line.querySelector(".chip-value")) line.replaceChildren(); // the <br> that browsers leave
    if (event.inputType === "insertText" && event.data === "}" && /\}\}$/.test(area.value)) redraw(line, area, words);
    area.dispatchEvent(new Event("input", { bubbles: true }));
  });
  line.addEventListener("blur", () => {
    if (area.value.match(placeholder)?.length !== (line.querySelectorAll(".chip-value").length || undefined)) redraw(line, area, words);
  });
  return line;
}

/** Draws typed placeholders as chips, with the cursor at the end. */
function redraw(line, area, words) {
  const focused = document.activeElement === line;
  cursors.delete(line);
  line.replaceChildren(...nodesOf(area.value, words));
  if (focused) insertAt(line, []);
}

/** The menu that inserts a value into a line. */
function valueMenu(line, area, words) {
  const menu = make("details", { className: "chip-menu" });
  const opener = make("summary", { className: "icon-button", text: "{ }", "aria-label": words.insert, title: words.insert });
  const list = make("ul");
  for (const value of words.values ?? []) {
    const item = make("li");
    const button = make("button", { type: "button", text: value.label });
    button.addEventListener("click", () => {
      insertAt(line, nodesOf(value.insert, words));
      line.focus();
      area.value = textOf(line);
      area.dispatchEvent(new Event("input", { bubbles: true }));
      menu.open = false;
    });
    item.append(button);
    list.append(item);
  }
  if (!words.values?.length) list.append(make("li", { className: "hint", text: words.none }));
  menu.append(opener, list);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    opener.focus();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
  });
  return menu;
}

/** Makes editable lines of the spoken lines of a form. A change of the textarea by others is shown, too. */
export function startChips(form, words) {
  for (const area of form.querySelectorAll(".say-line textarea")) {
    const line = editableLine(area, words);
    area.chipLine = line;
    area.hidden = true;
    area.after(line, valueMenu(line, area, words));
    area.addEventListener("change", () => redraw(line, area, words));
    const voice = area.closest(".say-line").querySelector(".voice");
    if (voice) form.addEventListener("input", () => { voice.hidden = area.value !== area.defaultValue; }); // not known of another text
  }
}
