"""The training run: worker processes that average their gradients, a schedule by elapsed time, checkpoints to resume.

On a CPU two single-threaded processes process three times as much speech as one with two threads. The learning rate
follows a cosine over the given minutes, whatever the machine's speed; a run that was stopped resumes where it was.
"""

import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import time

import torch
import torch.distributed as dist

from . import features, losses, mixer, model as net, script, search, weights

CHECKPOINT_SECONDS = 300
CLOSED_SHARE = 0.3  # of the loss among the words of a closed list
FRAME_START, FRAME_FADED = 0.14, 0.28  # shares of the budget: cross-entropy a frame, faded out


def learning_rate(done, peak, warm=0.03, floor=0.02):
    """Learning rate by done in [0, 1]: linear warm-up, cosine decay."""
    if done < warm:
        return peak * max(done / warm, 0.05)
    return peak * (floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * (done - warm) / (1 - warm))))


def strength(done, full=0.55, calm=0.85, least=0.4):
    """Strength of the augmentation: full for the first half, low at the end, where the weights converge."""
    return 1 - (1 - least) * min(1.0, max(0.0, (done - full) / (calm - full)))


def revive_batch_norm(model, mels):
    """Gives BatchNorms that a graph had folded new statistics that leave the output unchanged, from (mel, frames) in mels."""
    sums = {}

    def watch(layer, _, output):
        count, total, squares = sums.get(layer, (0, 0, 0))
        flat = output.transpose(0, 1).flatten(1).double()
        sums[layer] = (count + flat.shape[1], total + flat.sum(1), squares + flat.square().sum(1))

    model.eval()
    hooks = [l.conv.depthwise_conv.register_forward_hook(watch) for l in model.encoder.layers]
    with torch.no_grad():
        for mel, frames in mels:
            model.encoder(mel, frames)
    for h in hooks:
        h.remove()
    for layer in model.encoder.layers:
        count, total, squares = sums[layer.conv.depthwise_conv]
        norm, mean = layer.conv.batch_norm, total / count
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(squares / count - mean.square())
        norm.weight.data.copy_(torch.sqrt(norm.running_var + norm.eps))
        norm.bias.data.copy_(mean)


def average_gradients(model, world):
    """One message for all gradients."""
    if world == 1:
        return
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    flat = torch.cat([g.flatten() for g in grads])
    dist.all_reduce(flat)
    flat /= world
    at = 0
    for g in grads:
        g.copy_(flat[at:at + g.numel()].view_as(g))
        at += g.numel()


class Average:
    """A running mean of weights and statistics, which is exported."""

    def __init__(self, model, state=None):
        now = model.state_dict()
        self.state = state or {k: v.clone() for k, v in now.items()}
        floats = [k for k, v in now.items() if v.dtype.is_floating_point]
        # The model's tensors stay where they are, so that all are averaged by one call.
        self.mine, self.models = [self.state[k] for k in floats], [now[k] for k in floats]

    @torch.no_grad()
    def update(self, step, decay=0.999):
        torch._foreach_lerp_(self.mine, self.models, 1 - min(decay, (1 + step) / (10 + step)))


class Run:
    def __init__(self, a):
        self.a = a
        torch.set_num_threads(1 if a.world > 1 else max(1, os.cpu_count() - 1))
        torch.manual_seed(a.seed + a.rank)
        import sentencepiece

        self.tokenizer = sentencepiece.SentencePieceProcessor(model_file=str(a.tokenizer))
        self.device = torch.device("cpu")  # gpu.py trains on a GPU
        self.feats = features.Features().to(self.device)
        self.model = net.Hybrid(net.SMALL)
        self.mix = mixer.Mixer(a.cache / "pool", a.seed * 1000 + a.rank)
        self.batches = mixer.batches(self.mix, a.batch)
        self.generator = torch.Generator().manual_seed(a.seed + a.rank)
        self.rivals = random.Random(a.seed + a.rank)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=a.peak, betas=(0.9, 0.98), weight_decay=1e-3)
        self.step, self.seconds, self.heard = 0, 0.0, 0.0
        self.average = None
        self.start()
        # The order of the data differs from run to run, so that a resumed run does not repeat it.
        self.mix.rng.bit_generator.advance(self.step * 1000003)

    def start(self):
        last = self.a.cache / "last.pt"
        if last.exists():
            kept = torch.load(last, map_location=self.device, weights_only=True)
            self.model.load_state_dict(kept["model"])
            self.optimizer.load_state_dict(kept["optimizer"])
            self.average = Average(self.model, kept["average"])
            self.step, self.seconds, self.heard = kept["step"], kept["seconds"], kept["heard"]
        elif self.a.start != "scratch":
            self.model.load_state_dict(weights.from_folder(pathlib.Path(self.a.start)))
            some = (losses.batch_of(next(self.batches), self.tokenizer, self.device) for _ in range(20))
            revive_batch_norm(self.model, (self.feats(sound, lengths) for sound, lengths, _, _ in some))
        if self.a.world > 1:
            for t in self.model.state_dict().values():
                dist.broadcast(t, 0)
        self.average = self.average or Average(self.model)

    def save(self):
        if self.a.rank == 0:
            part = self.a.cache / "last.pt.part"
            torch.save(dict(model=self.model.state_dict(), average=self.average.state, step=self.step, heard=self.heard,
                            optimizer=self.optimizer.state_dict(), seconds=self.seconds), part)
            os.rename(part, self.a.cache / "last.pt")

    def update(self, done):
        """One step on one batch a process."""
        self.mix.strength = strength(done)
        samples = next(self.batches)
        self.heard += sum(len(s.sound) for s in samples) / mixer.RATE * self.a.world
        sound, lengths, labels, counts = losses.batch_of(samples, self.tokenizer, self.device)
        warps = torch.randint(0, len(features.WARPS), (len(samples),), generator=self.generator)
        warps[torch.rand(len(samples), generator=self.generator) > self.mix.strength] = features.STRAIGHT
        mel, frames = self.feats(sound, lengths, warps.to(self.device))
        mel = features.spec_augment(mel, frames, self.generator)
        self.model.train()
        encoded, frames = self.model.encoder(mel, frames)
        loss, ctc, rnnt, logprobs = losses.hybrid(self.model, encoded, frames, labels, counts)
        if self.a.start == "scratch" and done < FRAME_FADED:
            share = min(1.0, (FRAME_FADED - done) / (FRAME_FADED - FRAME_START))
            by_frame = losses.framewise(logprobs, frames, samples, self.tokenizer, self.model.size.vocabulary)
            loss = share * by_frame + (1 - share) * loss + 0 * loss
        loss = loss + CLOSED_SHARE * losses.closed_vocabulary(
            self.model, encoded, frames, samples, self.tokenizer, self.mix.words, self.rivals)
        self.optimizer.zero_grad(set_to_none=False)
        loss.backward()
        average_gradients(self.model, self.a.world)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(done, self.a.peak)
        self.optimizer.step()
        self.step += 1
        self.average.update(self.step)
        return float(ctc), float(rnnt)

    def finished(self, budget):
        """Reports whether the time is over, by the first process's clock."""
        now = torch.tensor([self.seconds])
        if self.a.world > 1:
            dist.broadcast(now, 0)
        self.seconds = float(now)
        return self.seconds >= budget

    def loop(self):
        budget, saved, told, sums = self.a.minutes * 60, self.seconds, 0.0, [0.0, 0.0, 0]
        while not self.finished(budget):
            began = time.monotonic()
            ctc, rnnt = self.update(min(1.0, self.seconds / budget))
            sums = [sums[0] + ctc, sums[1] + rnnt, sums[2] + 1]
            self.seconds += time.monotonic() - began
            if self.seconds - told > 30:
                told = self.seconds
                self.tell(sums, budget)
                sums = [0.0, 0.0, 0]
                self.mix.refresh()
            if self.seconds - saved > CHECKPOINT_SECONDS:
                saved = self.seconds
                self.save()
                self.glance()
        self.save()
        self.glance()

    def keep_average(self):
        """Stores the averaged weights of this validation; earlier ones are kept, since the last need not be the best."""
        folder = self.a.cache / "averages"
        folder.mkdir(exist_ok=True)
        torch.save(self.average.state, folder / f"{self.step:06}.pt")

    def tell(self, sums, budget):
        if self.a.rank == 0:
            print(f"{self.seconds / 60:5.1f} of {budget / 60:.0f} min  step {self.step}  CTC {sums[0] / sums[2]:.3f}  "
                  f"RNNT {sums[1] / sums[2]:.3f} a token  {self.heard / 3600:.2f} h passed  "
                  f"lr {self.optimizer.param_groups[0]['lr']:.1e}", flush=True)

    def glance(self):
        """Stores the averaged weights and prints their accuracy on single words of held-out speakers."""
        if self.a.rank != 0:
            return
        self.keep_average()
        judge = net.Hybrid(self.model.size).to(self.device).eval()
        judge.load_state_dict(self.average.state)
        print(json.dumps({"step": self.step, **glance_at(judge, self.feats, self.a.cache, self.tokenizer, self.device)},
                         ensure_ascii=False), flush=True)


@torch.no_grad()
def glance_at(model, feats, cache, tokenizer, device):
    """Returns percent right by head: one take of each word, every yes and no, and digits, all of held-out people."""
    words, digits = (mixer.Pool(cache / "pool", f"eval-{name}") for name in ("words", "digits"))
    some = [("words", words, e) for e in words.entries if e.text not in script.CONFUSABLE and e.speaker.endswith("/3")]
    some += [(e.text, words, e) for e in words.entries if e.text in script.CONFUSABLE]
    some += [("digits", digits, e) for e in digits.entries[::2]]
    tally = {head: {} for head in ("rnnt", "ctc")}
    for at in range(0, len(some), 20):
        block = some[at:at + 20]
        cuts = [mixer.Sample(p.samples(e)[e.bounds[0]:e.bounds[1]], e.text, None) for _, p, e in block]
        sound, lengths, _, _ = losses.batch_of(cuts, tokenizer, device)
        encoded, frames = model.encoder(*feats(sound, lengths))
        heard = {"rnnt": search.rnnt_greedy(model, encoded, frames), "ctc": search.ctc_greedy(model.ctc_decoder(encoded), frames)}
        for head, labels in heard.items():
            for (kind, _, e), l in zip(block, labels):
                tally[head].setdefault(kind, []).append(tokenizer.decode(l) == e.text)
    return {head: {k: round(100 * sum(v) / len(v), 1) for k, v in kinds.items()} for head, kinds in tally.items()}


def spawn(arguments, world):
    """Starts the workers and waits; a file is their rendezvous."""
    meet = pathlib.Path(arguments.cache).resolve() / "meet"
    meet.unlink(missing_ok=True)
    environment = dict(os.environ, OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OMP_WAIT_POLICY="PASSIVE")
    command = [sys.executable, "-m", "recipe.train", *sys.argv[1:], "--world", str(world)]
    workers = [subprocess.Popen([*command, "--rank", str(r)], env=environment) for r in range(world)]
    codes = [w.wait() for w in workers]
    if any(codes):
        raise SystemExit(f"train: workers ended with {codes}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--cache", type=pathlib.Path, required=True)
    p.add_argument("--tokenizer", type=pathlib.Path, required=True)
    p.add_argument("--start", default="scratch", help="scratch, or a folder with an exported model")
    p.add_argument("--minutes", type=float, default=80)
    p.add_argument("--peak", type=float, help="highest learning rate (default 6e-4 from scratch, else 3e-4)")
    p.add_argument("--batch", type=float, default=22, help="seconds of sound in a batch of one process")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--world", type=int, default=0)
    p.add_argument("--rank", type=int, default=-1)
    a = p.parse_args()
    a.peak = a.peak or (6e-4 if a.start == "scratch" else 3e-4)
    if a.rank < 0:
        return spawn(a, 2)
    if a.world > 1:
        dist.init_process_group("gloo", init_method=f"file://{a.cache.resolve()}/meet", rank=a.rank, world_size=a.world)
    Run(a).loop()


if __name__ == "__main__":
    main()
