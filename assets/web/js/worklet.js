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

// Plays samples that come in pieces. It begins when a few frames have arrived, so that a late one is not heard.
class Play extends AudioWorkletProcessor {
  constructor() {
    super();
    this.queue = [];
    this.at = 0; // in the first piece
    this.waiting = true;
    this.port.onmessage = ({ data }) => {
      if (data === null) this.queue = [];
      else this.queue.push(data);
      if (data === null) this.at = 0;
    };
  }

  process(_, [[out]]) {
    const queued = this.queue.reduce((n, piece) => n + piece.length, -this.at);
    if (this.waiting && queued < sampleRate / 16 && currentTime - (this.since ?? currentTime) < 0.1) {
      if (queued > 0) this.since ??= currentTime;
      return true;
    }
    this.waiting = false;
    for (let i = 0; i < out.length && this.queue.length; ) {
      const piece = this.queue[0];
      const n = Math.min(out.length - i, piece.length - this.at);
      out.set(piece.subarray(this.at, this.at + n), i);
      i += n;
      this.at += n;
      if (this.at === piece.length) {
        this.queue.shift();
        this.at = 0;
      }
    }
    if (!this.queue.length) {
      this.waiting = true;
      this.since = undefined;
    }
    return true;
  }
}

registerProcessor("play", Play);
