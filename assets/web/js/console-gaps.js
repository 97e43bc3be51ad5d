// The listening page of a call: a gap that is pressed is heard, and a cursor shows where the player is.
import { startPlayer } from "./console-player.js";
import { byId } from "./dom.js";

const audio = byId("audio");
if (audio) {
  const picture = byId("gaps");
  const cursor = byId("gap-cursor");
  const scale = Number(picture.dataset.scale);
  const hear = startPlayer(audio.closest("[data-player]"), []);
  const room = picture.parentElement;

  for (const part of document.querySelectorAll("[data-at]")) {
    part.addEventListener("click", (event) => {
      event.stopPropagation();
      hear(Number(part.dataset.at));
    });
  }
  picture.addEventListener("click", (event) => hear((event.clientX - picture.getBoundingClientRect().left) / scale));

  const show = () => {
    const x = audio.currentTime * scale;
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    if (!audio.paused && (x < room.scrollLeft || x > room.scrollLeft + room.clientWidth)) room.scrollLeft = x - 60;
    if (!audio.paused) requestAnimationFrame(show);
  };
  for (const name of ["play", "pause", "ended", "seeked"]) audio.addEventListener(name, show);
}
