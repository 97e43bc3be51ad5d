// "3 minutes ago" stays true while a page is open.
import { numerals } from "./dom.js";

/** Rewrites the <time class="ago"> of the page every half minute; after a day they show the date. */
export function countOn() {
  const lang = document.documentElement.lang;
  const words = new Intl.RelativeTimeFormat(`${lang}-u-nu-latn`);
  setInterval(() => {
    for (const time of document.querySelectorAll("time.ago")) {
      const minutes = Math.floor((Date.now() - Date.parse(time.dateTime)) / 60_000);
      if (minutes >= 24 * 60) time.classList.remove("ago");
      const text = minutes < 60 ? words.format(-minutes, "minute") : words.format(-Math.floor(minutes / 60), "hour");
      // As the server says it: CLDR's Arabic has the other preposition.
      if (minutes > 0) time.firstElementChild.textContent = numerals(text.replace(/^قبل/, "منذ"));
    }
  }, 30_000);
}
