// Error messages in the page's language, with the remedy.
import { BrokenStream, ServiceError } from "./api.js";
import { bringIntoView, byId, make, say } from "./dom.js";
import { MicrophoneError } from "./recorder.js";

const known = new Set([401, 403, 413, 422, 429, 503]);

function describe(error) {
  if (error instanceof MicrophoneError) return { code: error.reason };
  if (error instanceof BrokenStream) return { code: "broken" };
  if (!(error instanceof ServiceError)) return { code: "network" };
  const { status, detail, requestId, retryAfter } = error;
  return {
    code: known.has(status) ? String(status) : "500",
    values: { status, seconds: retryAfter || 5 },
    detail: status === 422 || !known.has(status) ? detail : "",
    requestId,
  };
}

/** Shows a message of the table with its remedy. */
export function tell({ code, values = {}, detail = "", requestId = "" }) {
  const notice = byId("notice");
  byId("notice-title").textContent = say(code, values);
  byId("notice-do").textContent = say(`${code}_do`, values);
  byId("notice-detail").textContent = detail;
  byId("notice-id").replaceChildren();
  if (requestId) {
    byId("notice-id").append(`${say("request_id")}: `, make("code", { text: requestId, dir: "ltr" }));
  }
  notice.hidden = false;
  bringIntoView(notice);
}

/** Shows an error. Programming errors are also logged to the console. */
export function tellError(error) {
  if (error instanceof TypeError && !/fetch|network|load/i.test(error.message)) console.error(error);
  tell(describe(error));
}

export const hideTrouble = () => { byId("notice").hidden = true; };
