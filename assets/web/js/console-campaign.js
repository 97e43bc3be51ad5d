// The page of a campaign updates itself: when a call changes, the page is fetched and its content replaces this one's. It
// is also fetched every 15 seconds, for changes of the campaign itself.
const shown = () => document.getElementById("campaign");
let due = 0;

async function refresh() {
  due = 0;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("campaign");
  if (!fresh) return;
  for (const part of ["progress", "answers"]) {
    const ours = document.getElementById(part);
    const focused = ours.contains(document.activeElement) && document.activeElement.getAttribute("href");
    ours.replaceWith(fresh.querySelector(`#${part}`));
    if (focused) document.querySelector(`#${part} a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
  const head = shown().querySelector(".page-head");
  const next = fresh.querySelector(".page-head");
  if (next && !head.contains(document.activeElement) && head.textContent !== next.textContent) head.replaceWith(next);
  shown().dataset.live = fresh.dataset.live;
  if (!fresh.dataset.live) stop();
}

function soon() {
  due ||= setTimeout(() => refresh().catch(() => {}), 400);
}

let source = null;
let steady = 0;

function stop() {
  source?.close();
  clearInterval(steady);
}

if (shown()?.dataset.live) {
  source = new EventSource(shown().dataset.live);
  source.addEventListener("state", soon);
  steady = setInterval(soon, 15000);
  addEventListener("pagehide", stop);
}
