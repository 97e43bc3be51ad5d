// The page of a replay updates itself: at each event of the replay, twice a second at most, the page is fetched and its
// content replaces this one's. While a recording plays, only the progress is replaced.
import { startPlayers } from "./console-players.js";

const shown = () => document.getElementById("replay");
let source = null;
let next = 0;

function stop() {
  source?.close();
  clearTimeout(next);
}

function show(fresh) {
  const playing = [...document.querySelectorAll("audio")].some((audio) => !audio.paused);
  const parts = playing ? ["progress"] : ["progress", "results"];
  for (const id of parts) {
    const [old, now] = [shown(), fresh].map((page) => page.querySelector(`[aria-labelledby="${id}"]`));
    const focused = old.contains(document.activeElement);
    old.replaceWith(now);
    startPlayers(now);
    if (focused) now.querySelector("a, button")?.focus({ preventScroll: true });
  }
  shown().dataset.live = fresh.dataset.live;
}

async function follow() {
  next = 0;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.redirected) return location.reload();
    const fresh = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("replay");
    if (fresh) show(fresh);
  } catch {
    // the server is unreachable: the next event tries again
  }
  if (!shown().dataset.live) stop();
}

if (shown()?.dataset.live) {
  source = new EventSource(shown().dataset.live);
  source.addEventListener("replay", () => {
    next ||= setTimeout(follow, 500);
  });
  addEventListener("pagehide", stop);
}
