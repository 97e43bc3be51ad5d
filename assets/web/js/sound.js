// The samples of a file for the waveform, decoded by the browser.
import { modelRate } from "./wav.js";

/** Files above this are not decoded for drawing: an hour of decoded sound is some 230 MB. */
export const drawable = 24 * 1024 * 1024;

/** Mono samples at 16 kHz, or null where the browser can't decode the file. */
export async function samplesOf(file) {
  try {
    const context = new OfflineAudioContext(1, 1, modelRate);
    const buffer = await context.decodeAudioData(await file.arrayBuffer());
    return mixed(buffer);
  } catch {
    return null;
  }
}

function mixed(buffer) {
  const out = buffer.getChannelData(0);
  for (let c = 1; c < buffer.numberOfChannels; c++) {
    buffer.getChannelData(c).forEach((x, i) => { out[i] += x; });
  }
  return out;
}

/** Lowest and highest sample of each of n equal stretches, scaled so that the loudest reaches 1: [min0, max0, min1, …]. */
export function peaks(samples, n) {
  const out = new Float32Array(2 * n);
  let top = 1e-4;
  for (let i = 0; i < n; i++) {
    const end = Math.floor(((i + 1) * samples.length) / n);
    let low = 0;
    let high = 0;
    for (let k = Math.floor((i * samples.length) / n); k < end; k++) {
      if (samples[k] < low) low = samples[k];
      else if (samples[k] > high) high = samples[k];
    }
    out[2 * i] = low;
    out[2 * i + 1] = high;
    top = Math.max(top, high, -low);
  }
  return out.map((x) => x / top);
}
