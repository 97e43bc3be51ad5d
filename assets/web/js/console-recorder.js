// The recorder of a scenario's line: the microphone's recording is put into the file field, as if it had been chosen
// there. Without a microphone the field remains, with the reason.
import { MicrophoneError, record } from "./recorder.js";

const reasons = { insecure: "insecure", mic_denied: "denied", mic_missing: "missing", mic_busy: "busy" };

/** Sets a recorder up. */
export function startRecorder(root) {
  const find = (name) => root.querySelector(`[data-${name}]`);
  const [tools, toggle, label, timer, listen, state] =
    ["tools", "toggle", "label", "timer", "listen", "state"].map(find);
  const [level, input] = [root.querySelector("meter"), root.querySelector("input[type=file]")];
  const sound = new Audio();
  let running = null;

  const tell = (name) => { state.textContent = root.dataset[name] ?? ""; };
  const show = (recording) => {
    label.textContent = recording ? root.dataset.stop : root.dataset[input.files.length ? "again" : "record"];
    level.hidden = timer.hidden = !recording;
    listen.hidden = recording || !input.files.length;
    toggle.setAttribute("aria-pressed", String(recording));
  };

  async function start() {
    sound.pause();
    toggle.disabled = true;
    tell("starting");
    running = await record("", (loudness, seconds) => {
      level.value = loudness;
      timer.textContent = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
      if (running && seconds >= Number(root.dataset.longest) - 0.2) stop("full");
    });
    show(true);
    tell("recording");
  }

  async function stop(said = "ready") {
    const current = running;
    running = null;
    const files = new DataTransfer();
    files.items.add(new File([await current.stop()], "line.wav", { type: "audio/wav" }));
    input.files = files.files;
    show(false);
    tell(said);
  }

  toggle.addEventListener("click", () => {
    (running ? stop() : start()).catch((error) => {
      running = null;
      show(false);
      tell(error instanceof MicrophoneError ? reasons[error.reason] : "busy");
    }).finally(() => { toggle.disabled = false; });
  });
  listen.addEventListener("click", () => {
    URL.revokeObjectURL(sound.src);
    sound.src = URL.createObjectURL(input.files[0]);
    sound.play().catch(() => {});
  });
  input.addEventListener("change", () => show(false));

  if (window.isSecureContext && navigator.mediaDevices) tools.hidden = false;
  else tell("insecure");
  show(false);
}
