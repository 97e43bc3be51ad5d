// Listening in: the running call's audio, 16-bit stereo PCM at 8 kHz, played as it is received. Audio that arrives faster
// than real time is dropped, so that playback stays current.

const rate = 8000;
const lead = 0.25; // seconds of buffer against jitter
const most = 2; // seconds of delay at which audio is dropped

/** Sets the button up. */
export function listening(button) {
  let stop = null;
  const word = button.querySelector("span");
  const show = (on, text) => {
    button.setAttribute("aria-pressed", String(on));
    word.textContent = text ?? (on ? button.dataset.on : button.dataset.off);
  };
  button.addEventListener("click", async () => {
    if (stop) return stop.abort();
    stop = new AbortController();
    show(true);
    let trouble;
    try {
      // A response has a maximum age: it is requested again until the call or the session has ended.
      for (;;) {
        const answer = await fetch(button.dataset.listen, { signal: stop.signal, redirect: "error" });
        if (!answer.ok) {
          if (answer.status === 503) trouble = button.dataset.full;
          break;
        }
        await play(answer.body.getReader(), stop.signal);
        await new Promise((again) => setTimeout(again, 1000));
      }
    } catch {
      // the call or the session has ended, or listening was stopped
    }
    stop = null;
    show(false, trouble);
  });
  addEventListener("pagehide", () => stop?.abort());
}

async function play(reader, signal) {
  const context = new AudioContext();
  signal.addEventListener("abort", () => context.close().catch(() => {}));
  let next = 0;
  let rest = new Uint8Array(0);
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const bytes = new Uint8Array(rest.length + value.length);
      bytes.set(rest);
      bytes.set(value, rest.length);
      const whole = bytes.length - (bytes.length % 4);
      rest = bytes.slice(whole);
      if (whole) next = queue(context, new DataView(bytes.buffer, 0, whole), next);
    }
    await new Promise((end) => setTimeout(end, Math.max(0, next - context.currentTime) * 1000));
  } finally {
    if (context.state !== "closed") await context.close();
  }
}

// queue schedules a piece after those that are playing, and returns its end time.
function queue(context, view, next) {
  const now = context.currentTime;
  if (next > now + most) return next; // received faster than real time
  const frames = view.byteLength / 4;
  const sound = context.createBuffer(2, frames, rate);
  for (const side of [0, 1]) {
    const samples = sound.getChannelData(side);
    for (let i = 0; i < frames; i++) samples[i] = view.getInt16(i * 4 + side * 2, true) / 32768;
  }
  const source = context.createBufferSource();
  source.buffer = sound;
  source.connect(context.destination);
  const start = next > now ? next : now + lead;
  source.start(start);
  return start + frames / rate;
}
