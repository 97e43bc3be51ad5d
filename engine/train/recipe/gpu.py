"""Training on a GPU: the sound of every batch is made there, so that it works without pause; a fixed time, then the best weights.

Both sizes can be trained at once, each by one process (--size), on the same GPU: the small network then learns from the large
one's CTC posteriors as soon as that one is better on the held-out people (Hinton et al. 2015, arXiv:1503.02531). Averaged
weights are validated every half a minute; the best of them, or of means of them, is written to CACHE/averages/SIZE.pt.
"""

import argparse
import dataclasses
import json
import multiprocessing
import os
import pathlib
import random
import time

import numpy
import torch
import torch.nn.functional as F

from . import checkpoint, features, losses, model as net, plan, pool, render, script, search, train, transducer, weights
from .pool import RATE

SIZES = {"small": net.SMALL, "large": net.LARGE}
DROPOUT = {"small": 0.05, "large": 0.1}
PEAK = {"small": 7e-4, "large": 1e-3}
CLOSED_ROWS = 96  # single words of a batch that are scored against the closed list
# From scratch: shares of the time with a cross-entropy per frame. Faded out after 300 of 3,161 steps (0.05, 0.12), the large
# network stayed where it wrote blanks only.
FRAME_START, FRAME_FADED = 0.25, 0.4
FROZEN = 0.45  # from then on BatchNorm keeps its statistics: batches are alike within, and different from each other
TAUGHT = 0.6  # weight of the distance to the teacher, a token
EVERY = 30.0  # seconds between validations
# Held-out sets whose mean accuracy selects the weights; then sets that are only told, as word error rates.
SINGLE = ("words", "words-line", "digits", "digits-line")
SENTENCES = ("prompts", "grammar", "person")


class Feed:
    """Plans from several processes. They are forked before the GPU is touched."""

    def __init__(self, a, base):
        context = multiprocessing.get_context("fork")
        self.queue = context.Queue(maxsize=4 * a.planners)
        self.strength, self.aligned = context.Value("d", 1.0), context.Value("b", a.start == "scratch")
        self.workers = [context.Process(target=self.work, args=(a, base, i), daemon=True) for i in range(a.planners)]
        for w in self.workers:
            w.start()

    def work(self, a, base, rank):
        torch.set_num_threads(1)
        planner = plan.Planner(a.cache / "pool", a.seed * 1000 + rank, tokenizer_of(a), base)
        for made in self.batches(planner, a):
            self.queue.put(made)

    def batches(self, planner, a):
        endless = planner.batches(a.batch, net.SMALL.vocabulary)
        while True:
            planner.strength, planner.aligned = self.strength.value, bool(self.aligned.value)
            yield next(endless)

    def stop(self):
        for w in self.workers:
            w.terminate()


def tokenizer_of(a):
    import sentencepiece

    return sentencepiece.SentencePieceProcessor(model_file=str(a.tokenizer))


class Closed:
    """Maximum mutual information over the closed list of single words, as losses.closed_vocabulary, without waiting for the GPU."""

    def __init__(self, words, tokenizer, device, seed):
        tokens = [tokenizer.encode(w) for w in words]
        self.words, self.device, self.rng = words, device, random.Random(seed)
        self.host_counts = torch.tensor([len(t) for t in tokens])
        labels = torch.zeros(len(words), int(self.host_counts.max()), dtype=torch.int64)
        for row, t in zip(labels, tokens):
            row[:len(t)] = torch.tensor(t)
        self.repeats = ((labels[:, 1:] == labels[:, :-1]) & (labels[:, 1:] > 0)).sum(1)
        self.labels, self.counts = labels.to(device), self.host_counts.to(device)
        self.confusable = [words.index(w) for w in script.CONFUSABLE]

    def rivals(self, truth):
        first = [truth, *(k for k in self.confusable if k != truth)]
        return first + self.rng.sample([k for k in range(len(self.words)) if k not in first], losses.RIVALS - len(first))

    def loss(self, model, encoded, host_frames, single):
        if not single:
            return encoded.sum() * 0
        some = self.rng.sample(single, min(CLOSED_ROWS, len(single)))
        rows, truth = [i for i, _ in some], [self.words.index(w) for _, w in some]
        n = host_frames[rows]
        x = encoded[torch.tensor(rows).to(self.device), :int(n.max())]
        target = torch.tensor(truth).to(self.device)
        chosen = torch.tensor([self.rivals(t) for t in truth])
        return (F.cross_entropy(self.ctc(model, x, n), target)
                + F.cross_entropy(self.rnnt(model, x, n, chosen), torch.zeros_like(target)))

    def ctc(self, model, x, n):
        """Log-likelihood of every word of the list by the CTC head [rows, K]."""
        k, rows = len(self.words), len(x)
        logprobs = model.ctc_decoder(x).repeat_interleave(k, 0, output_size=rows * k).transpose(0, 1)
        frames, counts = n.repeat_interleave(k), self.host_counts.repeat(rows)
        score = -F.ctc_loss(logprobs, self.labels.repeat(rows, 1), frames, counts, blank=model.size.vocabulary,
                            reduction="none", zero_infinity=True)
        pathless = (frames < counts + self.repeats.repeat(rows)).to(self.device)
        return score.masked_fill(pathless, -1000.0).view(rows, k)

    def rnnt(self, model, x, n, chosen):
        """Log-likelihood of the chosen words by the transducer [rows, RIVALS]."""
        rows, k = chosen.shape
        flat = chosen.flatten().to(self.device)
        labels, counts = self.labels[flat], self.counts[flat]
        predicted = model.joint.pred(model.decoder(labels))
        enc = model.joint.enc(x).repeat_interleave(k, 0, output_size=rows * k)
        logits = model.joint.joint_net(enc[:, :, None] + predicted[:, None])
        return -transducer.loss(logits, labels, n.repeat_interleave(k).to(self.device), counts).view(rows, k)


class Judge:
    """Validation sets in the GPU's memory, and the figures of a network on them."""

    def __init__(self, folder, feats, tokenizer, device):
        self.feats, self.tokenizer, self.sets = feats, tokenizer, {}
        for name in (*SINGLE, *SENTENCES):
            if f"eval-{name}" in pool.names(folder):
                self.sets[name] = list(self.load(pool.Pool(folder, f"eval-{name}"), device))

    def load(self, src, device, most=300 * RATE):
        """Batches of (sound, lengths, texts), sorted by length."""
        clips = sorted(((src.samples(e)[e.bounds[0]:e.bounds[1]], e.text) for e in src.entries), key=lambda c: len(c[0]))
        at = 0
        while at < len(clips):
            n = 1
            while at + n < len(clips) and (n + 1) * len(clips[at + n][0]) < most and n < 600:
                n += 1
            block, at = clips[at:at + n], at + n
            sound = torch.zeros(n, plan.rounded(len(block[-1][0])))
            for row, (x, _) in zip(sound, block):
                row[:len(x)] = torch.from_numpy(x)
            yield sound.to(device), torch.tensor([len(x) for x, _ in block], device=device), [t for _, t in block]

    @torch.no_grad()
    def hear(self, model, name):
        """(said, by RNNT, by CTC) of every clip."""
        for sound, lengths, texts in self.sets[name]:
            encoded, frames = model.encoder(*self.feats(sound, lengths))
            by_ctc = search.ctc_greedy(model.ctc_decoder(encoded), frames)
            by_rnnt = search.rnnt_greedy_batch(model, encoded, frames)
            for text, r, c in zip(texts, by_rnnt, by_ctc):
                yield text, self.tokenizer.decode(r), self.tokenizer.decode(c)

    def figures(self, model, sentences=True):
        """Percent right of single words and word error rates of sentences, by RNNT and CTC; score: the mean of the former."""
        model.eval()
        found = {}
        for name in self.sets:
            if name in SENTENCES and not sentences:
                continue
            heard = list(self.hear(model, name))
            rate = exact if name in SINGLE else word_errors
            found[name] = [round(100 * rate([(said, h[k]) for said, *h in heard]), 1) for k in (0, 1)]
        found["score"] = round(float(numpy.mean([found[n] for n in SINGLE if n in found] or [0])), 2)
        return found


def exact(pairs):
    return sum(said == heard for said, heard in pairs) / len(pairs)


def word_errors(pairs):
    return sum(search.distance(s.split(), h.split()) for s, h in pairs) / sum(len(s.split()) for s, _ in pairs)


def in_half(state):
    """Matrices in half precision, which is exact enough for weights; vectors as they are."""
    return {k: v.half().cpu() if v.dtype.is_floating_point and v.dim() > 1 else v.cpu() for k, v in state.items()}


def write(path, content):
    torch.save(content, f"{path}.part")
    os.rename(f"{path}.part", path)


class Run:
    def __init__(self, a):
        self.a, self.names = a, render.everything(a.cache / "pool")
        base = render.starts_of(a.cache / "pool", self.names)
        self.feed = Feed(a, base)
        torch.manual_seed(a.seed)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        sound, _ = render.load(a.cache / "pool", self.names, self.device)
        self.renderer, self.feats = render.Renderer(sound, self.device), features.Features().to(self.device)
        self.tokenizer = tokenizer_of(a)
        size = dataclasses.replace(SIZES[a.size], dropout=DROPOUT[a.size])
        self.model, self.shadow = net.Hybrid(size).to(self.device), net.Hybrid(size).to(self.device)
        words = plan.Planner(a.cache / "pool", 0, self.tokenizer, base).words
        self.closed = Closed(words, self.tokenizer, self.device, a.seed)
        self.judge = Judge(a.cache / "pool", self.feats, self.tokenizer, self.device)
        if a.start != "scratch":
            self.warm_start(pathlib.Path(a.start))
        for layer in self.model.encoder.layers:
            layer.conv.batch_norm.momentum = 0.02
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=a.peak, betas=(0.9, 0.98), weight_decay=1e-2,
                                           fused=self.device.type == "cuda")
        self.average, self.kept, self.step, self.heard = train.Average(self.model), [], 0, 0.0
        self.teacher, self.own, self.frozen = None, 0.0, False
        self.model.train()

    def warm_start(self, path):
        """Starts from an exported folder, or from weights that this training wrote."""
        state = weights.from_folder(path) if path.is_dir() else torch.load(path, map_location="cpu", weights_only=True)
        self.model.load_state_dict({k: v.float() if v.dtype.is_floating_point else v for k, v in state.items()})
        mels = (self.mel(self.feed.queue.get()) for _ in range(30))
        train.revive_batch_norm(self.model, ((mel, frames) for mel, frames, _ in mels))

    def mel(self, made):
        """(mel, frames, mel with masks) of a plan."""
        sound, lengths, warps = self.renderer.render(made)
        mel, frames = self.feats(sound, lengths, warps)
        return mel, frames, features.spec_augment_batch(mel, frames)

    def update(self, done):
        """One step. Nothing here waits for the GPU."""
        made = self.feed.queue.get()
        self.heard += made.lengths.sum() / RATE
        clean, mel_frames, mel = self.mel(made)
        labels, counts = (torch.from_numpy(x).to(self.device) for x in (made.labels, made.counts))
        host_frames = torch.from_numpy(made.lengths // features.HOP)
        for _ in range(3):
            host_frames = (host_frames - 1) // 2 + 1
        if done > FROZEN:
            self.freeze()
        with torch.autocast(self.device.type, torch.bfloat16):
            encoded, frames = self.model.encoder(mel, mel_frames)
        encoded = encoded.float()
        loss, ctc, rnnt, logprobs = losses.hybrid(self.model, encoded, frames, labels, counts,
                                                  host=(host_frames, torch.from_numpy(made.counts)))
        if made.targets is not None:
            loss = self.blend_framewise(loss, logprobs, made.targets, done)
        loss = loss + train.CLOSED_SHARE * self.closed.loss(self.model, encoded, host_frames, made.single)
        if self.teacher is not None:
            loss = loss + TAUGHT * self.distance_to_teacher(clean, mel_frames, logprobs, frames, counts)
        self.descend(loss, done)
        return ctc, rnnt

    def freeze(self):
        """BatchNorm keeps its statistics from now on."""
        for layer in self.model.encoder.layers if not self.frozen else ():
            layer.conv.batch_norm.eval()
        self.frozen = True

    def blend_framewise(self, loss, logprobs, targets, done):
        """Cross-entropy of the CTC head where word times are known, faded out; plain CTC and RNNT make no progress for long."""
        share = min(1.0, max(0.0, (FRAME_FADED - done) / (FRAME_FADED - FRAME_START)))
        target = torch.from_numpy(targets).to(self.device)[:, :logprobs.shape[1]]
        known = (target >= 0).sum().clamp(min=1)
        by_frame = F.nll_loss(logprobs.flatten(0, 1), target.flatten(), ignore_index=-100, reduction="sum") / known
        return share * by_frame + (1 - share) * loss

    def distance_to_teacher(self, mel, mel_frames, logprobs, frames, counts):
        """Kullback-Leibler divergence from the teacher's CTC posteriors, which hears without masks, a token."""
        with torch.no_grad(), torch.autocast(self.device.type, torch.bfloat16):
            encoded, _ = self.teacher.encoder(mel, mel_frames)
            wanted = self.teacher.ctc_decoder(encoded.float())[:, :logprobs.shape[1]].float()
        by_frame = (wanted.exp() * (wanted - logprobs)).sum(2) * net.inside(frames, logprobs.shape[1])
        return by_frame.sum() / counts.sum().clamp(min=1)

    def descend(self, loss, done):
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = train.learning_rate(done, self.a.peak, warm=0.04, floor=0.01)
        self.optimizer.step()
        self.step += 1
        self.average.update(self.step)

    def loop(self):
        """Trains until the deadline; the learning rate follows the clock."""
        began = told = judged = time.time()
        sums, count = 0, 0
        while (now := time.time()) < self.a.until and self.step < self.a.steps:
            done = min(1.0, (now - began) / (self.a.until - began))
            self.feed.strength.value = train.strength(done, least=0.6)
            self.feed.aligned.value = self.a.start == "scratch" and done < FRAME_FADED
            sums, count = sums + torch.stack(self.update(done)), count + 1
            if now - told > 10 or self.step in (1, 5, 20):
                self.tell(began, sums / count)
                told, sums, count = now, 0, 0
            if now - judged > EVERY:
                judged = now
                self.validate(done)

    def tell(self, began, mean):
        ctc, rnnt = mean.tolist()
        if not numpy.isfinite(ctc + rnnt):
            print("not finite: back to the averaged weights", flush=True)
            self.model.load_state_dict(self.average.state)
        memory = torch.cuda.max_memory_allocated() / 2 ** 30 if self.device.type == "cuda" else 0
        print(f"{self.a.size} {time.time() - began:5.0f} s  step {self.step}  CTC {ctc:.3f}  RNNT {rnnt:.3f}  {self.heard / 3600:.1f} h passed"
              f"  queue {self.feed.queue.qsize()}  {memory:.0f} GiB", flush=True)

    def validate(self, done):
        """Keeps the averaged weights with their figures; the small network looks whether the large one is a better teacher."""
        state = {k: v.clone() for k, v in self.average.state.items()}
        found = self.judge_state(state, sentences=False)
        self.own = found["score"]
        self.kept.append((found["score"], self.step, state))
        write(self.folder() / f"{self.a.size}.pt", in_half(state))
        write(self.folder() / f"{self.a.size}.score", self.own)
        if self.a.teacher and done > 0.3:
            self.look_for_teacher()

    def judge_state(self, state, sentences=True, what="average"):
        self.shadow.load_state_dict(state)
        found = self.judge.figures(self.shadow, sentences)
        print(json.dumps({"size": self.a.size, "step": self.step, "weights": what, "taught": self.teacher is not None, **found}),
              flush=True)
        return found

    def folder(self):
        folder = self.a.cache / "averages"
        folder.mkdir(exist_ok=True)
        return folder

    def look_for_teacher(self):
        path = self.a.cache / "averages" / f"{self.a.teacher}.pt"
        if not path.exists() or torch.load(path.with_suffix(".score"), weights_only=True) <= self.own - 0.3:
            return
        state = torch.load(path, map_location=self.device, weights_only=True)
        self.teacher = (self.teacher or net.Hybrid(checkpoint.size_of(state)).to(self.device).eval())
        self.teacher.load_state_dict({k: v.float() if v.dtype.is_floating_point else v for k, v in state.items()})

    def finish(self):
        """Writes the best of the averaged weights and of means of the last of them."""
        self.feed.stop()
        last = {k: v.clone() for k, v in self.average.state.items()}
        write(self.folder() / f"{self.a.size}.pt", in_half(last))
        candidates = [("last", last)] + [(f"mean of the last {n}", mean_of([last] + [s for _, _, s in self.kept[1 - n:]]))
                                         for n in (2, 3, 4, 6) if n - 1 <= len(self.kept)]
        best = sorted(self.kept, key=lambda k: -k[0])[:3]
        candidates += [(f"step {step}", state) for _, step, state in best[:2]]
        if len(best) == 3:
            candidates.append(("mean of the best 3", mean_of([s for _, _, s in best])))
        top = max(candidates, key=lambda c: self.judge_state(c[1], sentences=False, what=c[0])["score"])
        write(self.folder() / f"{self.a.size}.pt", in_half(top[1]))
        self.judge_state(top[1], what=f"chosen: {top[0]}")


def mean_of(states):
    return {k: sum(s[k] for s in states) / len(states) if v.dtype.is_floating_point else v for k, v in states[0].items()}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--cache", type=pathlib.Path, required=True)
    p.add_argument("--tokenizer", type=pathlib.Path, required=True)
    p.add_argument("--size", choices=SIZES, required=True)
    p.add_argument("--start", default="scratch", help="scratch, a folder with an exported model, or weights in a .pt file")
    p.add_argument("--minutes", type=float, default=45)
    p.add_argument("--until", type=float, help="instead of --minutes, the end of the training in seconds since 1970")
    p.add_argument("--steps", type=float, default=float("inf"), help="most steps")
    p.add_argument("--batch", type=float, default=240, help="seconds of sound in a batch")
    p.add_argument("--peak", type=float, help="highest learning rate")
    p.add_argument("--planners", type=int, default=4, help="processes that plan batches")
    p.add_argument("--teacher", choices=SIZES, help="the size, trained at the same time, to learn from")
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    a.peak, a.until = a.peak or PEAK[a.size], a.until or time.time() + 60 * a.minutes
    run = Run(a)
    run.loop()
    run.finish()


if __name__ == "__main__":
    main()
