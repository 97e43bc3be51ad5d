// The record button: three states, the level ring, the timer.
import { byId, clock, make, say } from "./dom.js";
import { longest, microphones, record } from "./recorder.js";

const button = byId("record");
const timer = byId("timer");
let recording = null;

function become(state) {
  button.dataset.state = state;
  button.disabled = state === "starting";
  byId("record-label").textContent = say(state === "recording" ? "stop" : "record");
  timer.hidden = state !== "recording";
  button.style.setProperty("--level", 0);
}

async function offerMicrophones() {
  const select = byId("microphone");
  const chosen = select.value;
  const found = await microphones();
  const options = found.map((device) => make("option", { value: device.deviceId, text: device.label }));
  select.replaceChildren(select.options[0], ...options);
  select.value = chosen;
}

/**
 * Brings the button to life. ready() says whether a recording may start now, take gets the WAV file, failed what went
 * wrong, full is called when the longest recording was reached.
 */
export function startCapture({ ready, take, failed, full }) {
  const say0 = byId("record-say");
  const hint = say0.textContent;

  async function start() {
    become("starting");
    say0.textContent = say("starting");
    recording = await record(byId("microphone").value, (level, seconds) => {
      button.style.setProperty("--level", level.toFixed(3));
      timer.textContent = clock(seconds, 0);
      if (seconds >= longest && recording) stop().then(full, failed);
    });
    become("recording");
    say0.textContent = say("recording");
    offerMicrophones();
  }

  async function stop() {
    const current = recording;
    recording = null;
    become("still");
    say0.textContent = hint;
    const blob = await current.stop();
    const stamp = new Date().toTimeString().slice(0, 8).replaceAll(":", "-");
    take(new File([blob], `${say("recording_name")} ${stamp}.wav`, { type: "audio/wav" }));
  }

  button.addEventListener("click", () => {
    if (!recording && !ready()) return;
    (recording ? stop() : start()).catch((error) => {
      recording = null;
      become("still");
      say0.textContent = hint;
      failed(error);
    });
  });
  offerMicrophones();
}
