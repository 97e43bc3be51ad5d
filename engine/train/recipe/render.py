"""Sound of planned batches, on the GPU: stretches of the pool resampled and joined, rooms, noise, telephones, lost packets.

The counterpart of augment.py for whole batches: B utterances of N samples at 16 kHz; all draws are in the plan, but for noise.
"""

import math

import numpy
import torch
import torch.nn.functional as F

from . import pool
from .pool import RATE

TAPS, PHASES = 8, 32  # of the interpolation filter
CUTOFFS = torch.linspace(0.75, 1.0, 6)  # of Nyquist, for sound that is played faster
TAIL = int(0.6 * RATE)  # samples of a room's reverberation
PACKET = RATE // 50  # samples
A = 87.6  # of the A-law (ITU-T G.711)


def load(folder, names, device):
    """(all sound of the named pool files as int16 [S], where each file starts)."""
    parts = [numpy.fromfile(folder / f"{n}.pcm", numpy.int16) for n in names]
    starts = numpy.cumsum([0, *(len(p) for p in parts)])
    return torch.from_numpy(numpy.concatenate(parts)).to(device), dict(zip(names, starts.tolist()))


def starts_of(folder, names):
    """Where each of the named pool files starts in all sound, in samples."""
    sizes = [(folder / f"{n}.pcm").stat().st_size // 2 for n in names]
    return dict(zip(names, numpy.cumsum([0, *sizes]).tolist()))


def filters():
    """Windowed sinc interpolation [cutoffs * PHASES, TAPS]."""
    at = torch.arange(TAPS)[None, None] - (TAPS // 2 - 1) - (torch.arange(PHASES) / PHASES)[None, :, None]
    cut = CUTOFFS[:, None, None]
    window = torch.cos(at / (TAPS / 2 + 0.5) * math.pi / 2).clamp(min=0) ** 2
    taps = cut * torch.sinc(cut * at) * window
    return (taps / taps.sum(2, keepdim=True)).flatten(0, 1)


def power(x, lengths):
    """Root mean square of each row [B, 1]."""
    return (x.square().sum(1) / lengths + 1e-12).sqrt()[:, None]


def compand(x, law):
    """G.711 by its formulas: law [B, 1] is 1 for mu, 0 for A."""
    size, sign = x.abs().clamp(max=1), x.sign()
    mu = torch.log1p(255 * size) / math.log(256)
    by_mu = (256 ** (torch.round(mu * 127) / 127) - 1) / 255
    scale = 1 + math.log(A)
    a = torch.round(torch.where(size < 1 / A, A * size, 1 + torch.log((A * size).clamp(min=1))) / scale * 127) / 127
    by_a = torch.where(a < 1 / scale, a * scale / A, torch.exp(a * scale - 1) / A)
    return sign * torch.where(law > 0, by_mu, by_a)


class Renderer:
    def __init__(self, sound, device):
        self.sound, self.device, self.filters = sound, device, filters().to(device)

    def to(self, x, kind=torch.float32):
        return torch.as_tensor(x).to(self.device, kind, non_blocking=True)

    def lay(self, pieces, rows, size):
        """Pieces of the pool at their places in [rows, size], resampled by their rate."""
        out = torch.zeros(rows * size, device=self.device)
        total = int(pieces["length"].sum())
        if not total:
            return out.view(rows, size)
        start, length, to = (self.to(pieces[k], torch.int64) for k in ("start", "length", "to"))
        rate, gain = self.to(pieces["rate"], torch.float64), self.to(pieces["gain"])
        which = torch.repeat_interleave(length, output_size=total)
        k = torch.arange(total, device=self.device) - (length.cumsum(0) - length)[which]
        at = k * rate[which]
        base = at.floor()
        cutoff = ((1 / rate).clamp(0.75, 1) - 0.75).mul(20).round().long()[which]
        taps = self.filters[cutoff * PHASES + ((at - base) * PHASES).long()]
        read = (start[which] + base.long())[:, None] + torch.arange(1 - TAPS // 2, TAPS // 2 + 1, device=self.device)
        value = (self.sound[read.clamp(0, len(self.sound) - 1)] * taps).sum(1) * (gain[which] / 32768)
        return out.index_add_(0, to[which] + k, value).view(rows, size)

    def room_and_tilt(self, x, c):
        """A microphone's frequency response, and a small room: direct sound and a tail that decays in 0.1 to 0.6 s."""
        n = x.shape[1] + TAIL + (-(x.shape[1] + TAIL)) % 6400
        spectrum = torch.fft.rfft(x, n)
        tilt = F.interpolate(self.to(c["tilt"])[:, None], spectrum.shape[1], mode="linear", align_corners=True)[:, 0]
        spectrum = spectrum * 10 ** (tilt / 20)
        rows = numpy.flatnonzero(c["tail"])
        if len(rows):
            at = self.to(rows, torch.int64)
            t = torch.arange(TAIL, device=self.device)[None]
            length = self.to(c["decay"][rows])[:, None] * RATE
            tail = torch.randn(len(rows), TAIL, device=self.device) * 10 ** (-3 * t / length)
            tail = tail * (t >= self.to(c["delay"][rows])[:, None]) * (t < length)
            tail = tail * (self.to(c["tail"][rows])[:, None] / tail.square().sum(1, keepdim=True).sqrt().clamp(min=1e-6))
            tail[:, 0] = 1
            spectrum[at] = spectrum[at] * torch.fft.rfft(tail, n)
        return torch.fft.irfft(spectrum, n)[:, :x.shape[1]]

    def noise(self, plan, inside):
        """Noise [B, N] of any level: coloured, recorded, or none."""
        rows, size = inside.shape
        out = self.lay(plan.noise, rows, size)
        some = numpy.flatnonzero(plan.changes["kind"] == 1)
        if len(some):
            hertz = torch.linspace(0, RATE / 2, size // 2 + 1, device=self.device)
            falls = hertz.clamp(min=20)[None] ** -self.to(plan.changes["slope"][some])[:, None] * (hertz > 0)
            out[self.to(some, torch.int64)] = torch.fft.irfft(torch.fft.rfft(torch.randn(len(some), size, device=self.device)) * falls, size)
        return out * inside

    def telephone(self, x, c):
        """The 8 kHz band with soft edges, coded by G.711's laws, in the rows that have one."""
        rows = numpy.flatnonzero(c["low"])
        if not len(rows):
            return x
        at, size = self.to(rows, torch.int64), x.shape[1]
        low, high, level = (self.to(c[k][rows])[:, None] for k in ("low", "high", "level"))
        hertz = torch.linspace(0, RATE / 4, size // 4 + 1, device=self.device)[None]
        band = 1 / (1 + (low / hertz.clamp(min=1)) ** 6) / (1 + (hertz / high) ** 24)
        narrow = torch.fft.irfft(torch.fft.rfft(x[at])[:, :size // 4 + 1] * band, size // 2) / 2
        level = level / narrow.abs().amax(1, keepdim=True).clamp(min=1e-6)
        narrow = compand(narrow * level, self.to(c["law"][rows])[:, None]) / level
        wide = F.pad(torch.fft.rfft(narrow), (0, size // 4)) * 2
        return x.index_copy(0, at, torch.fft.irfft(wide, size))

    def lose(self, x, c):
        """Lost packets of 20 ms are silent."""
        rows = numpy.flatnonzero(c["lost"])
        if not len(rows):
            return x
        at = self.to(rows, torch.int64)
        kept = torch.rand(len(rows), x.shape[1] // PACKET, device=self.device) >= self.to(c["lost"][rows])[:, None]
        return x.index_copy(0, at, x[at] * kept.repeat_interleave(PACKET, 1))

    @torch.no_grad()
    def render(self, plan):
        """(sound [B, N], lengths [B], warps [B])."""
        c, rows = plan.changes, len(plan.lengths)
        lengths = self.to(plan.lengths, torch.int64)
        inside = torch.arange(plan.size, device=self.device)[None] < lengths[:, None]
        x = self.lay(plan.pieces, rows, plan.size)
        x = x / power(x, lengths).clamp(min=1e-5) * 0.05
        x = self.room_and_tilt(x, c) * inside
        noise = self.noise(plan, inside)
        snr = 10 ** (-self.to(c["snr"]) / 20)[:, None]
        x = x + noise * (power(x, lengths) / power(noise, lengths).clamp(min=1e-5) * snr * self.to(c["kind"] > 0)[:, None])
        clip = self.to(numpy.where(c["clip"] > 0, c["clip"], 1e3))[:, None] * power(x, lengths)
        x = self.lose(self.telephone(torch.clamp(x, -clip, clip), c), c)
        x = x + torch.randn_like(x) * self.to(c["floor"])[:, None]
        return x * inside, lengths, self.to(c["warp"], torch.int64)


def everything(folder):
    """Names of the pool files that training may hear."""
    return [n for n in pool.names(folder) if not n.startswith("eval-")]
