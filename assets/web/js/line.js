// The line of a browser: its microphone and speaker at a WebSocket; see package browserline.

import { microphone, pcm, resampler } from "./microphone.js";
import { speaker } from "./speaker.js";

/** Opens a line: what the microphone hears is sent to the address, and its blocks go to onBlock, too. Without a line the
 * microphone is released. */
export async function openLine(address, onBlock = () => {}, protocols = []) {
  let send = () => {};
  const mic = await microphone(
    (block) => {
      onBlock(block);
      send(block);
    },
    { cancelEcho: true },
  );
  try {
    const socket = await connect(address, protocols);
    const convert = resampler(mic.rate);
    send = (block) => {
      const samples = convert(block);
      if (samples.length && socket.readyState === WebSocket.OPEN) socket.send(pcm(samples));
    };
    return { mic, socket, out: speaker(mic.context) };
  } catch (error) {
    await mic.stop().catch(() => {});
    throw error;
  }
}

async function connect(address, protocols) {
  const url = new URL(address, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const socket = new WebSocket(url, protocols);
  socket.binaryType = "arraybuffer";
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error("socket"));
  });
  return socket;
}
