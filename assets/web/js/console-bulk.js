// The page of a bulk change follows it: when the change goes on, the page is fetched again and what it shows takes the
// place of ours. While the change can be undone the page is fetched every second, for the time that is left, and later
// every four seconds in any case.
const shown = () => document.getElementById("bulk");
let source = null;
let next = 0;
let told = false; // the page is about to be fetched because of an event

function stop() {
  source?.close();
  clearTimeout(next);
}

function soon(wait) {
  clearTimeout(next);
  next = setTimeout(follow, wait);
}

// show puts the fetched page's state in the place of ours; the button to undo keeps its place and focus. The fetched
// page was parsed as without scripts: its <noscript> holds a live <meta>, which would load the page again.
function show(fresh) {
  fresh.querySelectorAll("noscript").forEach((part) => part.remove());
  const said = shown().querySelector("[role=status]");
  const words = fresh.querySelector("[role=status]");
  if (said.textContent !== words.textContent) said.replaceChildren(...words.childNodes);
  const [rest, now] = [shown(), fresh].map((card) => card.querySelector("#bulk-rest"));
  const [left, seconds] = [rest, now].map((part) => part.querySelector("button bdi"));
  if (left && seconds) {
    left.textContent = seconds.textContent;
  } else {
    const focused = rest.contains(document.activeElement);
    rest.replaceWith(now);
    if (focused) now.querySelector("a, button")?.focus({ preventScroll: true });
  }
  Object.assign(shown().dataset, { state: fresh.dataset.state, live: fresh.dataset.live });
}

async function follow() {
  told = false;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.redirected) return location.reload();
    const fresh = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("bulk");
    if (fresh) show(fresh);
  } catch {
    // the server is away: the next fetch tells
  }
  if (!shown().dataset.live) return stop();
  soon(shown().dataset.state === "waiting" ? 1000 : 4000);
}

if (shown()?.dataset.live) {
  source = new EventSource(shown().dataset.live);
  source.addEventListener("bulk", (event) => {
    if (told || JSON.parse(event.data).id !== shown().dataset.id) return;
    told = true;
    soon(200);
  });
  soon(1000);
  addEventListener("pagehide", stop);
}
