// The browser's microphone: blocks of samples, their level, and the rate at which they are sent.

export const rate = 16000; // what is sent

/** Turns samples at one rate into another's, block by block: a box low-pass and linear interpolation. */
export function resampler(from) {
  if (from === rate) return (block) => block;
  const step = from / rate;
  let rest = new Float32Array();
  let at = 0;
  return (block) => {
    const all = new Float32Array(rest.length + block.length);
    all.set(rest);
    all.set(block, rest.length);
    const out = [];
    for (; at + step < all.length; at += step) {
      let sum = 0;
      const first = Math.floor(at);
      const last = Math.max(first + 1, Math.floor(at + step));
      for (let i = first; i < last; i++) sum += all[i];
      out.push(sum / (last - first));
    }
    const used = Math.floor(at);
    rest = all.slice(used);
    at -= used;
    return Float32Array.from(out);
  };
}

/** Floats as 16-bit little-endian samples. */
export function pcm(samples) {
  const bytes = new DataView(new ArrayBuffer(2 * samples.length));
  samples.forEach((x, i) => bytes.setInt16(2 * i, Math.max(-1, Math.min(1, x)) * 32767, true));
  return bytes.buffer;
}

/** The level of a meter, 0 to 1. */
export function loudness(samples) {
  let sum = 0;
  for (const x of samples) sum += x * x;
  const decibels = 10 * Math.log10(sum / samples.length + 1e-9);
  return Math.min(1, Math.max(0, (decibels + 55) / 45));
}

/** A sound graph with the microphone in it, at the rate that is sent where the browser can do that itself. */
async function graph(media) {
  let context = new AudioContext({ sampleRate: rate });
  try {
    return { context, source: new MediaStreamAudioSourceNode(context, { mediaStream: media }) };
  } catch {
    await context.close();
    context = new AudioContext();
    return { context, source: new MediaStreamAudioSourceNode(context, { mediaStream: media }) };
  }
}

/** The graph with the module that takes sound out of it. */
async function tapped(media) {
  const made = await graph(media);
  await made.context.audioWorklet.addModule(new URL("./worklet.js", import.meta.url));
  return made;
}

/** Audio of the microphone in blocks of about 20 ms; stop() ends it. With cancelEcho what the page plays is taken out of
 * it. */
export async function microphone(onBlock, { cancelEcho = false } = {}) {
  const media = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: cancelEcho, noiseSuppression: false, autoGainControl: true },
  });
  const { context, source } = await tapped(media).catch((error) => {
    for (const track of media.getTracks()) track.stop(); // releases the microphone
    throw error;
  });
  const tap = new AudioWorkletNode(context, "tap", { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
  const flushed = new Promise((resolve) => {
    tap.port.onmessage = ({ data }) => (data === null ? resolve() : onBlock(data));
  });
  source.connect(tap);
  await context.resume();
  return {
    context,
    rate: context.sampleRate,
    ended: new Promise((resolve) => media.getTracks()[0].addEventListener("ended", resolve)),
    async stop() {
      tap.port.postMessage("stop");
      await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, 500))]);
      for (const track of media.getTracks()) track.stop();
      await context.close();
    },
  };
}
