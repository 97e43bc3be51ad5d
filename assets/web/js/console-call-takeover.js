// Taking a running call over: the microphone becomes the platform's side, and the person is heard here, over a
// WebSocket; see package takeover.

import { openLine } from "./line.js";
import { rate } from "./microphone.js";
import { decode } from "./speaker.js";

const most = 0.4; // seconds of sound that may wait to be played: older sound is dropped
const patience = 4000; // milliseconds without sound of the call, which never pauses, after which the line is lost

/** Sets the button and the choice of the step up. */
export function takingOver(room) {
  const button = room.querySelector("button");
  const word = button.querySelector("span");
  const step = room.querySelector("select");
  const state = room.querySelector("[role=status]");
  let session = null;

  const show = (on, text = "") => {
    button.setAttribute("aria-pressed", String(on));
    word.textContent = on ? room.dataset.back : room.dataset.take;
    state.textContent = text;
  };

  async function begin() {
    button.disabled = true;
    try {
      const { mic, socket, out } = await openLine(room.dataset.line);
      let until = 0;
      const play = (samples) => {
        const now = mic.context.currentTime;
        if (until - now > most) out.flush();
        until = (until - now > most ? now : Math.max(now, until)) + samples.length / rate;
        out.play(samples);
      };
      session = { mic, socket, out, reason: "", heard: performance.now() };
      session.watch = setInterval(() => performance.now() - session.heard > patience && over(), 500);
      socket.onmessage = ({ data }) => {
        session.heard = performance.now();
        if (typeof data === "string") event(JSON.parse(data));
        else play(decode(data));
      };
      socket.onclose = over;
      mic.ended.then(() => session && handBack());
    } catch (error) {
      const denied = ["NotAllowedError", "SecurityError", "NotFoundError", "TypeError"].includes(error.name);
      show(false, denied ? room.dataset.denied : room.dataset.refused);
    }
    button.disabled = false;
  }

  function event({ type, reason }) {
    if (type === "taken") show(true, room.dataset.taken);
    if (type === "refused") session.reason = "refused";
    if (type === "over") session.reason = reason;
  }

  function handBack() {
    const { socket } = session;
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ hand_back: true, step: step.value }));
    setTimeout(() => socket.close(1000), 3000);
  }

  function over() {
    const { mic, socket, out, reason, watch } = session;
    session = null;
    clearInterval(watch);
    socket.onmessage = socket.onclose = null; // of a broken network it would close much later
    socket.close();
    out.flush();
    mic.stop().catch(() => {});
    show(false, { handed_back: room.dataset.done, ended: "", refused: room.dataset.refused }[reason] ?? room.dataset.lost);
  }

  button.addEventListener("click", () => (session ? handBack() : begin()));
}
