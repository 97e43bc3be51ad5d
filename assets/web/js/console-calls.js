// The list of calls: keys as in a mail client, the box that selects all rows, and live updates of rows.
import { isSelected, walkRows } from "./rows.js";
import { labelCells } from "./tables.js";

// On a telephone the chips are a strip: the selected one is scrolled into view.
document.querySelector(".chips [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });

const list = () => document.getElementById("calls");

function rows() {
  return [...(list()?.querySelectorAll("tbody tr") ?? [])];
}

walkRows(rows, (row, key) => {
  if (key !== "x") return false;
  row.querySelector("input")?.click();
  return true;
});

document.addEventListener("change", (event) => {
  if (event.target.id !== "select-all") return;
  for (const box of list().querySelectorAll("tbody input[type=checkbox]")) box.checked = event.target.checked;
});

// After a change of a call the page is fetched and its rows replace those shown.
let due = 0;

async function refresh() {
  due = 0;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("calls");
  const body = fresh?.querySelector("tbody");
  const ours = list()?.querySelector("tbody");
  if (!body || !ours) return;
  const focused = document.activeElement?.closest("tr")?.dataset.id;
  const chosen = new Set([...ours.querySelectorAll("input:checked")].map((box) => box.value));
  const known = new Set(rows().map((row) => row.dataset.id));
  ours.replaceChildren(...body.children);
  for (const row of ours.rows) {
    row.classList.toggle("new", !known.has(row.dataset.id));
    row.toggleAttribute("data-cursor", isSelected(row));
    for (const box of row.querySelectorAll("input")) box.checked = chosen.has(box.value);
    if (row.dataset.id === focused) row.querySelector("th a").focus({ preventScroll: true });
  }
  labelCells(ours.closest("table"));
}

const live = list()?.dataset.live;
if (live) {
  const source = new EventSource(live);
  source.addEventListener("state", () => { due ||= setTimeout(() => refresh().catch(() => {}), 400); });
  addEventListener("pagehide", () => source.close());
}
