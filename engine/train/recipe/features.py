"""NeMo's log-mel features in PyTorch, for a batch, with the warping of vocal tract length as an augmentation.

NeMo's AudioToMelSpectrogramPreprocessor: pre-emphasis 0.97, a symmetric Hann window of 400 in 512 points every 160
samples, power, 80 Slaney bands, log(x + 2^-24), one mean and one deviation over all bands of the valid frames (NeMo's
normalize: all_features). NeMo's default, a mean for each band, removes from half a second that is nearly one vowel the
spectrum that distinguishes نعم from لا.
"""

import math

import torch

FFT, WINDOW, HOP, BANDS, RATE = 512, 400, 160, 80, 16000
WARPS = [0.84, 0.88, 0.92, 0.96, 1.0, 1.04, 1.08, 1.12, 1.16]  # factors of the formants' frequencies
STRAIGHT = WARPS.index(1.0)
EMPHASIS = 0.97
# The same as in munadi.json.
PREPROCESSOR = {"window": "hann", "window_samples": WINDOW, "preemphasis": EMPHASIS, "normalize": "all_features"}


def mel(hz):
    return hz / (200 / 3) if hz < 1000 else 15 + math.log(hz / 1000) / (math.log(6.4) / 27)


def hertz(m):
    return m * (200 / 3) if m < 15 else 1000 * math.exp((m - 15) * (math.log(6.4) / 27))


def bank(warp=1.0):
    """Slaney's triangles [BANDS, FFT/2+1]; warp reads every band warp times higher in the spectrum."""
    edges = torch.tensor([hertz(m * mel(8000) / (BANDS + 1)) for m in range(BANDS + 2)], dtype=torch.float64)
    bins = torch.arange(FFT // 2 + 1, dtype=torch.float64) * RATE / FFT
    area = 2 / (edges[2:] - edges[:-2])
    edges = (edges * warp).clamp(max=8000 * 1.2)
    low, mid, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    rise, fall = (bins - low) / (mid - low).clamp(min=1e-3), (high - bins) / (high - mid).clamp(min=1e-3)
    return (torch.minimum(rise, fall).clamp(min=0) * area[:, None]).float()


class Features(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(WINDOW, periodic=False))
        self.register_buffer("banks", torch.stack([bank(w) for w in WARPS]))

    def forward(self, sound, lengths, warps=None):
        """sound [B, N], lengths [B] in samples -> mel [B, BANDS, L+1], frames [B]; warps [B] index WARPS."""
        frames = lengths // HOP
        sound = torch.cat([sound[:, :1], sound[:, 1:] - EMPHASIS * sound[:, :-1]], 1)
        inside = torch.arange(sound.shape[1], device=sound.device)[None] < lengths[:, None]
        spectrum = torch.stft(sound * inside, FFT, HOP, WINDOW, self.window, center=True, pad_mode="constant",
                              return_complex=True)
        power = spectrum.real ** 2 + spectrum.imag ** 2  # [B, FFT/2+1, L+1]
        banks = self.banks[STRAIGHT] if warps is None else self.banks[warps]
        x = torch.log(torch.matmul(banks, power) + 2 ** -24)
        valid = (torch.arange(x.shape[2], device=x.device)[None] < frames[:, None])[:, None]
        count = frames[:, None, None].clamp(min=2) * BANDS
        mean = (x * valid).sum((1, 2), keepdim=True) / count
        deviation = (((x - mean) * valid).square().sum((1, 2), keepdim=True) / (count - 1)).sqrt() + 1e-5
        return ((x - mean) / deviation) * valid, frames


def spec_augment(x, frames, generator):
    """Park et al. 2019, as NeMo: two masks of up to 15 bands, two of up to 5 % of the time."""
    for i in range(x.shape[0]):
        draw = lambda high: int(torch.randint(0, high + 1, (1,), generator=generator))
        for _ in range(2):
            width = draw(15)
            at = draw(BANDS - width)
            x[i, at:at + width] = 0
            width = draw(int(frames[i]) // 20)
            at = draw(int(frames[i]) - width)
            x[i, :, at:at + width] = 0
    return x


def spec_augment_batch(x, frames):
    """As spec_augment, for all utterances at once, which a GPU needs."""
    b, bands, length = x.shape
    draw = lambda: torch.rand(b, 1, device=x.device)
    band, time = torch.arange(bands, device=x.device)[None], torch.arange(length, device=x.device)[None]
    kept = torch.ones(b, bands, length, dtype=torch.bool, device=x.device)
    for _ in range(2):
        width = (draw() * 16).floor()
        at = (draw() * (bands - width + 1)).floor()
        kept &= ((band < at) | (band >= at + width))[:, :, None]
        width = (draw() * (frames[:, None] // 20 + 1)).floor()
        at = (draw() * (frames[:, None] - width + 1)).floor()
        kept &= ((time < at) | (time >= at + width))[:, None]
    return x * kept
