// The players of a page with several: one plays at a time.
import { startPlayer } from "./console-player.js";

/** Starts the players below a root. */
export function startPlayers(root) {
  for (const player of root.querySelectorAll("[data-player]")) {
    startPlayer(player, []);
    const audio = player.querySelector("audio");
    audio.addEventListener("play", () => {
      for (const other of document.querySelectorAll("[data-player] audio")) if (other !== audio) other.pause();
    });
  }
}

startPlayers(document);
