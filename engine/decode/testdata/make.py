"""Makes the test vectors of this folder from NeMo's own results.

    python -m venv v && v/bin/pip install numpy onnx==1.17.0 onnxruntime==1.24.4 sentencepiece
    v/bin/python make.py ../../../../shared/reference .        # the committed files
    v/bin/python make.py ../../../../shared/reference DIR --all # all 40 recordings, for MUNADI_DECODE_GOLDEN=DIR

Inputs, all below the reference folder: wav/gNN.wav, golden/golden.json, golden/context_words.json,
golden/gNN.ctc_logprobs.npy, golden/gNN.mel.npy (the check of the mel below) and the model folder (encoder-model.onnx,
decoder_joint-model.onnx, model.onnx where the log-probabilities are not given, tokenizer.model).

Outputs: net.npy (the prediction network and joint, one flat float32 vector in the order of WEIGHTS), gNN.enc.npy
(encoder frames already projected into the joint space, [T, 160]), gNN.ctc.npy (log-probabilities [T, 257]) and
golden.json (NeMo's results, the pieces, the context words as token ids).
"""

import json
import pathlib
import sys
import wave

import numpy as np
import onnx
import onnxruntime as ort
import sentencepiece

COMMITTED_RNNT = "g00 g02 g08 g09 g13 g16 g17 g22 g23 g24 g26 g38".split()
COMMITTED_CTC = "g00 g01 g02 g09 g16 g28 g37".split()
RNNT_METHODS = (
    "greedy_batch_loop_labels greedy_batch_loop_frames greedy_max_symbols_1 greedy_temperature_2 "
    "beam4 beam4_nonorm beam4_temp2 beam1 maes4 malsd_batch4 tsd4"
).split()
ALSD_BEST = 4  # NeMo's alsd returns every hypothesis that ever ended; these are the beam's best
CTC_METHODS = "greedy beam_batch beam_batch_beta1".split()
WEIGHTS = [  # name of the initializer, name in the Go test
    ("decoder.prediction.embed.weight", "embed [V+1, H]"),
    ("onnx::LSTM_119", "W [4H, H], gates in ONNX order i o f c"),
    ("onnx::LSTM_120", "R [4H, H]"),
    ("onnx::LSTM_121", "input bias [4H], recurrent bias [4H]"),
    ("onnx::MatMul_123", "joint.pred [H, J]"),
    ("joint.pred.bias", "[J]"),
    ("onnx::MatMul_124", "joint output [J, V+1]"),
    ("joint.joint_net.2.bias", "[V+1]"),
]


def slaney_filters(rate=16000, n_fft=512, mels=80):
    """Triangles on the Slaney mel scale with area 1, [mels, n_fft/2+1]."""
    step = np.log(6.4) / 27

    def hz(m):
        return np.where(m < 15, m * 200 / 3, 1000 * np.exp((m - 15) * step))

    top = 15 + np.log(rate / 2 / 1000) / step
    edges = hz(np.linspace(0, top, mels + 2))
    bins = np.linspace(0, rate / 2, n_fft // 2 + 1)
    up = (bins - edges[:-2, None]) / np.diff(edges)[:-1, None]
    down = (edges[2:, None] - bins) / np.diff(edges)[1:, None]
    return np.maximum(0, np.minimum(up, down)) * (2 / (edges[2:] - edges[:-2]))[:, None]


def log_mel(x):
    """NeMo's AudioToMelSpectrogramPreprocessor: [80, L+1] float32 and L."""
    valid = len(x) // 160
    x = np.concatenate([x[:1], x[1:] - 0.97 * x[:-1]])
    x = np.pad(x, 256)
    window = np.pad(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(400) / 399), 56)
    frames = np.stack([x[160 * t : 160 * t + 512] * window for t in range(valid + 1)])
    power = np.abs(np.fft.rfft(frames)) ** 2
    mel = np.log(slaney_filters() @ power.T + 2.0**-24)
    part = mel[:, :valid]
    mel = (mel - part.mean(1, keepdims=True)) / (part.std(1, ddof=1, keepdims=True) + 1e-5)
    mel[:, valid:] = 0
    return mel.astype(np.float32), valid


def samples(path):
    with wave.open(str(path)) as w:
        assert (w.getframerate(), w.getnchannels(), w.getsampwidth()) == (16000, 1, 2)
        return np.frombuffer(w.readframes(w.getnframes()), "<i2").astype(np.float64) / 32768


def hypotheses(answers):
    """The n best of one method without their texts."""
    return [{k: h[k] for k in ("score", "tokens", "frames")} for h in answers]


def alsd(answers):
    """The best of NeMo's alsd; its frames are steps: the frame and the number of tokens before."""
    best = hypotheses(answers[:ALSD_BEST])
    for h in best:
        h["frames"] = [step - i for i, step in enumerate(h["frames"])]
    return best


def main(reference, out, everything):
    model, golden = reference / "model", reference / "golden"
    answers = json.loads((golden / "golden.json").read_text())
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    encoder = ort.InferenceSession(model / "encoder-model.onnx", options)
    ctc = ort.InferenceSession(model / "model.onnx", options)
    graph = onnx.load(model / "decoder_joint-model.onnx").graph
    arrays = {i.name: onnx.numpy_helper.to_array(i) for i in graph.initializer}
    np.save(out / "net.npy", np.concatenate([arrays[n].astype(np.float32).ravel() for n, _ in WEIGHTS]))

    files = {}
    for f in answers["files"]:
        name = f["wav"].removesuffix(".wav")
        entry = {"enc_frames": f["enc_frames"]}
        mel, valid = log_mel(samples(reference / "wav" / f["wav"]))
        check = golden / f"{name}.mel.npy"
        if check.exists():
            print(name, "mel differs by", np.abs(np.load(check) - mel).max())
        feed = {"audio_signal": mel[None], "length": np.array([valid])}
        if everything or name in COMMITTED_RNNT:
            enc = encoder.run(["outputs"], feed)[0][0].T[: f["enc_frames"]]
            np.save(out / f"{name}.enc.npy", enc @ arrays["onnx::MatMul_122"] + arrays["joint.enc.bias"])
            entry["rnnt"] = {m: hypotheses(f["rnnt"][m]) for m in RNNT_METHODS}
            entry["rnnt"]["alsd4"] = alsd(f["rnnt"]["alsd4"])
        if everything or name in COMMITTED_CTC:
            given = golden / f"{name}.ctc_logprobs.npy"
            lp = np.load(given) if given.exists() else ctc.run(["logprobs"], feed)[0][0][: f["enc_frames"]]
            np.save(out / f"{name}.ctc.npy", np.ascontiguousarray(lp, dtype=np.float32))
            # Of mel frames that fill the last encoder frame (8 each) the zero frame after them makes one more row of
            # scores, which NeMo's beam_batch reads too (and collapses hypotheses there). Ours does not.
            methods = CTC_METHODS if valid % 8 else ["greedy"]
            entry["ctc"] = {m: hypotheses(f["ctc"][m]) for m in methods}
            entry["rnnt_greedy"] = hypotheses(f["rnnt"]["greedy_batch_loop_labels"])[0]
            entry["ctc_ws"] = f["ctc_ws"]
        if len(entry) > 1:
            files[name] = entry

    spm = sentencepiece.SentencePieceProcessor(model_file=str(model / "tokenizer.model"))
    words = json.loads((golden / "context_words.json").read_text())
    result = {
        "nemo": answers["nemo"],
        "blank": answers["blank"],
        "pieces": [spm.id_to_piece(i) for i in range(spm.vocab_size())],
        "context": [{"text": w, "ids": spm.encode(w)} for w in words],
        "files": files,
    }
    (out / "golden.json").write_text(json.dumps(result, ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), "--all" in sys.argv)
