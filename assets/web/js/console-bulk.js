// The page of a bulk change updates itself: at each event of the change the page is fetched and its content replaces this
// one's. While the change can be undone the page is fetched every second, for the countdown, and later every four seconds.
const shown = () => document.getElementById("bulk");
let source = null;
let next = 0;
let told = false; // a fetch because of an event is pending

function stop() {
  source?.close();
  clearTimeout(next);
}

function soon(wait) {
  clearTimeout(next);
  next = setTimeout(follow, wait);
}

// show replaces the state by the fetched page's; the undo button keeps its position and focus. The fetched
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
    // the server is unreachable: the next fetch tries again
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
