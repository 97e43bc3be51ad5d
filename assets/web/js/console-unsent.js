// A form whose session ended: when its page is looked at again after the sign-in on another tab, it continues by itself.
import { byId } from "./dom.js";

byId("unsent-sign-in")?.addEventListener("click", () => {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") byId("unsent").requestSubmit();
  });
});
