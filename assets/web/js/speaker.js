// The browser's speaker: samples as they come over a WebSocket.

import { rate } from "./microphone.js";

/** Floats of 16-bit little-endian samples. */
export function decode(buffer) {
  const bytes = new DataView(buffer);
  return Float32Array.from({ length: bytes.byteLength / 2 }, (_, i) => bytes.getInt16(2 * i, true) / 32768);
}

/** A speaker for samples at the rate of the line; the page's sound graph converts nothing where it runs at that rate. */
export function speaker(context) {
  const play = new AudioWorkletNode(context, "play", { numberOfInputs: 0, outputChannelCount: [1] });
  play.connect(context.destination);
  const step = rate / context.sampleRate;
  const fit = (samples) =>
    step === 1
      ? samples
      : Float32Array.from({ length: Math.round(samples.length / step) }, (_, i) => samples[Math.floor(i * step)] ?? 0);
  return { play: (samples) => play.port.postMessage(fit(samples)), flush: () => play.port.postMessage(null) };
}
