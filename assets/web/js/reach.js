// A form is sent only to a server that answers: a browser's own error page would take what was typed with it, because
// pages are not kept (Cache-Control: no-store).
import { byId } from "./dom.js";

/** Whether the server answers, and not only a proxy in front of it. */
async function isReached() {
  try {
    const { status } = await fetch("/livez", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(10_000) });
    return status < 500;
  } catch {
    return false;
  }
}

/** Asks the server before each POST form is sent. Without an answer the page stays, and a notice says what to do. */
export function sendWhenReached(notice) {
  let asking = false;
  let answered = false;
  document.addEventListener("submit", async (event) => {
    const { target, submitter } = event;
    if (target.method !== "post" || answered) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (asking) return;
    asking = true;
    answered = await isReached();
    asking = false;
    if (answered) target.requestSubmit(submitter);
    notice.togglePopover(!answered);
    answered = false;
  }, { capture: true });
}
