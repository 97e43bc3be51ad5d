// A table that is walked through with keys, as in a mail client: j and k select a row, which further keys act on.

let selected = null; // id of the row

/** Whether the keyboard has selected a row; asked again for rows that replace those shown. */
export const isSelected = (row) => row.dataset.id === selected;

function select(all, row) {
  if (!row) return;
  for (const other of all) other.toggleAttribute("data-cursor", other === row);
  selected = row.dataset.id;
  row.querySelector("th a").focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

/** Handles the keys of the rows that rows() returns; act gets the selected row and any other key, and says whether it
 * was one of its own. */
export function walkRows(rows, act) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input:not([type=checkbox]), select, textarea, dialog");
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    const all = rows();
    const at = all.findIndex(isSelected);
    if (event.key === "j") select(all, all[Math.min(all.length - 1, at + 1)]);
    else if (event.key === "k") select(all, all[Math.max(0, at - 1)]);
    else if (at < 0 || !act(all[at], event.key)) return;
    event.preventDefault();
  });
}
