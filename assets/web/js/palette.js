// The palette: Ctrl-K (or Cmd-K) opens a dialog that finds pages, people, calls, campaigns and scenarios as one types. It is
// a combobox (WAI-ARIA): the arrows move through the list, Enter opens, Escape closes. Without scripts its link leads to a
// page with the same list.
export function startPalette(opener) {
  const dialog = document.getElementById("palette");
  if (!opener || !dialog) return;
  const field = dialog.querySelector("input");
  const list = dialog.querySelector("ul");
  let active = -1;
  let due = 0;
  let asked = 0;

  const options = () => [...list.querySelectorAll("a")];

  function choose(at) {
    const all = options();
    active = all.length ? (at + all.length) % all.length : -1;
    all.forEach((option, i) => option.setAttribute("aria-selected", String(i === active)));
    if (active < 0) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", all[active].id);
    all[active].scrollIntoView({ block: "nearest" });
  }

  async function find() {
    due = 0;
    const mine = ++asked;
    const answer = await fetch(`${opener.getAttribute("href")}?q=${encodeURIComponent(field.value)}`, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected || mine !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    list.replaceChildren(...page.getElementById("palette-results").children);
    options().forEach((option, i) => {
      option.id = `palette-${i}`;
      option.setAttribute("role", "option");
      option.tabIndex = -1;
      option.parentElement.setAttribute("role", "presentation");
    });
    const count = options().length;
    dialog.querySelector("[role=status]").textContent = count ? String(count) : dialog.dataset.none;
    choose(0);
  }

  function open(event) {
    event.preventDefault();
    if (dialog.open) return;
    dialog.showModal();
    field.select();
    find().catch(() => {});
  }

  opener.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") open(event);
  });
  field.addEventListener("input", () => { due ||= setTimeout(() => find().catch(() => {}), 120); });
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(active + 1);
    else if (event.key === "ArrowUp") choose(active - 1);
    else if (event.key === "Enter" && active >= 0) options()[active].click();
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}
