// Runs on the audio thread: hands on the first channel in blocks of about 20 ms, each with its loudness.
class Tap extends AudioWorkletProcessor {
  constructor() {
    super();
    this.block = new Float32Array(Math.round(sampleRate / 50));
    this.filled = 0;
    this.open = true;
    this.port.onmessage = () => {
      this.send();
      this.port.postMessage(null); // the last block is out
      this.open = false;
    };
  }

  send() {
    if (this.filled === 0) return;
    const samples = this.block.slice(0, this.filled);
    this.filled = 0;
    this.port.postMessage(samples, [samples.buffer]);
  }

  process([input]) {
    const channel = input[0] ?? [];
    for (let i = 0; i < channel.length; ) {
      const n = Math.min(channel.length - i, this.block.length - this.filled);
      this.block.set(channel.subarray(i, i + n), this.filled);
      this.filled += n;
      i += n;
      if (this.filled === this.block.length) this.send();
    }
    return this.open;
  }
}

registerProcessor("tap", Tap);
