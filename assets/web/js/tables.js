// Tables become cards on a telephone; there each cell shows its column's name, which the server need not repeat.

/** Writes each column's heading to its cells as data-label, where the markup has not. */
export function labelCells(table) {
  const names = [...table.querySelectorAll("thead th")].map((th) => th.textContent.trim());
  for (const row of table.tBodies[0]?.rows ?? []) labelRow(row, names);
}

function labelRow(row, names) {
  let column = 0;
  for (const cell of row.cells) {
    const name = names[column];
    const bare = "label" in cell.dataset || cell.classList.contains("actions"); // a button has its own label
    if (cell.tagName === "TD" && name && !bare) cell.dataset.label = name;
    column += cell.colSpan;
  }
}
