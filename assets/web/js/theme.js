// The appearance switch, without a round trip: the same cookie that the server would have set.
import { byId } from "./dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && dark.matches);
}

function label(button) {
  const text = isDark() ? button.dataset.light : button.dataset.dark;
  button.value = isDark() ? "light" : "dark";
  button.setAttribute("aria-label", text);
  button.title = text;
}

/** Sets the switch up; changed is called after each change of colours. */
export function startTheme(changed) {
  const button = byId("theme");
  label(button);
  button.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = chosen;
    const encrypted = location.protocol === "https:";
    const name = encrypted ? "__Host-munadi_theme" : "munadi_theme";
    document.cookie = `${name}=${chosen}; Path=/; Max-Age=31536000; SameSite=Lax${encrypted ? "; Secure" : ""}`;
    label(button);
    changed();
  });
  dark.addEventListener("change", () => {
    label(button);
    changed();
  });
}
