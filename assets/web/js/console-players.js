// The players of a page with several: one plays at a time.
import { startPlayer } from "./console-player.js";

const players = [...document.querySelectorAll("[data-player]")];
for (const player of players) {
  startPlayer(player, []);
  player.querySelector("audio").addEventListener("play", () => {
    for (const other of players) if (other !== player) other.querySelector("audio").pause();
  });
}
