// The microphone: PCM from an AudioWorklet at the device's own rate, made into 16 kHz mono at the end.
//
// MediaRecorder would hand over lossy Opus in a container that differs by browser, and asking the AudioContext for 16 kHz
// fails in Firefox; an OfflineAudioContext resamples properly everywhere.
import { modelRate, wav } from "./wav.js";

/** Longest recording, in seconds; 48 kHz floats cost 11.5 MB a minute until they are resampled. */
export const longest = 600;

/** Why there is no microphone: reason is a key of the messages table. */
export class MicrophoneError extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

// The browser does not filter the microphone's audio for the model, except for automatic gain.
const sound = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true };

async function openMicrophone(deviceId) {
  if (!window.isSecureContext || !navigator.mediaDevices) throw new MicrophoneError("insecure");
  const audio = deviceId ? { ...sound, deviceId: { exact: deviceId } } : sound;
  try {
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (error) {
    const reasons = { NotAllowedError: "mic_denied", SecurityError: "mic_denied", NotFoundError: "mic_missing",
      OverconstrainedError: "mic_missing" };
    throw new MicrophoneError(reasons[error.name] ?? "mic_busy");
  }
}

/** The available microphones; their names are known once the user has permitted one. */
export async function microphones() {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return devices.filter((device) => device.kind === "audioinput" && device.deviceId && device.label);
}

function loudness(samples) {
  let sum = 0;
  for (const x of samples) sum += x * x;
  const decibels = 10 * Math.log10(sum / samples.length + 1e-9);
  return Math.min(1, Math.max(0, (decibels + 55) / 45)); // -55 dBFS is rest, -10 is loud
}

async function resample(blocks, rate) {
  const length = blocks.reduce((n, block) => n + block.length, 0);
  if (length === 0) return new Float32Array();
  const context = new OfflineAudioContext(1, Math.ceil((length * modelRate) / rate), modelRate);
  const buffer = context.createBuffer(1, length, rate);
  let at = 0;
  for (const block of blocks) {
    buffer.copyToChannel(block, 0, at);
    at += block.length;
  }
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.start();
  return (await context.startRendering()).getChannelData(0);
}

/** Starts a recording. onBlock gets (level 0..1, seconds so far); stop() resolves to a WAV blob. */
export async function record(deviceId, onBlock) {
  const media = await openMicrophone(deviceId);
  const context = new AudioContext();
  const blocks = [];
  let heard = 0;
  await context.audioWorklet.addModule(new URL("./worklet.js", import.meta.url)).catch((error) => {
    for (const track of media.getTracks()) track.stop(); // releases the microphone
    throw error;
  });
  const tap = new AudioWorkletNode(context, "tap", { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
  const flushed = new Promise((resolve) => {
    tap.port.onmessage = ({ data }) => {
      if (data === null) return resolve();
      blocks.push(data);
      heard += data.length;
      onBlock(loudness(data), heard / context.sampleRate);
    };
  });
  const source = new MediaStreamAudioSourceNode(context, { mediaStream: media });
  source.connect(tap);
  await context.resume();

  return {
    async stop() {
      tap.port.postMessage("stop");
      await flushed;
      source.disconnect();
      for (const track of media.getTracks()) track.stop();
      const { sampleRate } = context;
      await context.close();
      return wav(await resample(blocks, sampleRate), modelRate);
    },
  };
}
