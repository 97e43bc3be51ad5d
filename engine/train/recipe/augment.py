"""Augmentation: rooms, noise, telephones, bad lines. numpy and scipy only.

Every function takes float32 samples at 16 kHz and a numpy Generator and keeps the length, but for speed() and trim().
"""

import numpy
from scipy import fft
from scipy.signal import fftconvolve, resample_poly

RATE = 16000  # Hz
LEVEL = RATE // 100  # samples of a level of loudness
SPEEDS = [(5, 4), (9, 8), (10, 9), (16, 15), (20, 19), (1, 1), (19, 20), (15, 16), (9, 10), (8, 9), (6, 7), (7, 6), (4, 5)]


def rms(x):
    return float(numpy.sqrt(numpy.mean(x * x) + 1e-12))


def filtered(x, gain):
    """x through a filter; gain(f) is its factor at frequencies f in Hz. Padded to a length that transforms fast."""
    n = fft.next_fast_len(len(x), real=True)
    return fft.irfft(fft.rfft(x, n) * gain(fft.rfftfreq(n, 1 / RATE)).astype(numpy.float32), n)[:len(x)]


def speed(x, rng):
    """Faster and higher, or slower and lower: (samples, factor of the length)."""
    up, down = SPEEDS[rng.integers(len(SPEEDS))]
    return (x, 1.0) if up == down else (resample_poly(x, up, down).astype(numpy.float32), up / down)


def room(x, rng):
    """A small room: direct sound, a few early echoes, a tail that decays in 0.1 to 0.6 s."""
    decay = rng.uniform(0.1, 0.6)
    n = int(decay * RATE)
    tail = rng.standard_normal(n).astype(numpy.float32) * 10 ** (-3 * numpy.arange(n) / n)
    tail[:int(rng.uniform(0.001, 0.01) * RATE)] = 0
    tail *= rng.uniform(0.05, 0.6) / (rms(tail) * numpy.sqrt(n))
    tail[0] = 1
    return fftconvolve(x, tail.astype(numpy.float32))[:len(x)].astype(numpy.float32)


def coloured(n, rng):
    """Noise with a spectrum that falls by 0 to 6 dB an octave: hiss to rumble."""
    slope = rng.uniform(0, 1)
    return filtered(rng.standard_normal(n, numpy.float32), lambda f: (f > 0) / numpy.maximum(f, 20) ** slope)


def hum(n, rng):
    """Mains hum with harmonics, or an engine."""
    t = numpy.arange(n, dtype=numpy.float32) / RATE
    base = rng.choice((50, 60, rng.uniform(70, 300)))
    return sum(rng.uniform(0, 1) / k * numpy.sin(2 * numpy.pi * base * k * t + rng.uniform(0, 6)) for k in range(1, 9)).astype(numpy.float32)


def tones(n, rng):
    """Telephone tones: keys, ringing, busy, the beep of a mailbox."""
    t = numpy.arange(n, dtype=numpy.float32) / RATE
    pairs = [(425, 425), (440, 480), (697, 1209), (770, 1336), (852, 1477), (941, 1336), (1000, 1000), (1400, 1400)]
    on, off = rng.uniform(0.08, 1.5), rng.uniform(0.05, 2)
    out = numpy.zeros(n, numpy.float32)
    for start in numpy.arange(rng.uniform(0, 0.5), n / RATE, on + off):
        a, b = pairs[rng.integers(len(pairs))]
        out += ((t >= start) & (t < start + on)) * (numpy.sin(2 * numpy.pi * a * t) + numpy.sin(2 * numpy.pi * b * t))
    return out.astype(numpy.float32)


def music(n, rng):
    """Chords and a melody of plucked harmonics, a beat below."""
    out = numpy.zeros(n, numpy.float32)
    step = int(rng.uniform(0.12, 0.5) * RATE)
    root = rng.uniform(80, 300)
    scale = numpy.array((0, 1, 4, 5, 7, 8, 10, 12) if rng.random() < 0.5 else (0, 2, 4, 5, 7, 9, 11, 12))
    for at in range(0, n, step):
        length = min(n - at, step * int(rng.integers(1, 5)))
        t = numpy.arange(length, dtype=numpy.float32) / RATE
        for _ in range(rng.integers(0, 4)):
            f = root * 2 ** (scale[rng.integers(8)] / 12 + rng.integers(0, 3))
            wave = sum(numpy.sin(2 * numpy.pi * f * k * t) / k ** rng.uniform(0.7, 2) for k in range(1, 6))
            out[at:at + length] += (wave * numpy.exp(-t * rng.uniform(0.5, 8))).astype(numpy.float32)
        if rng.random() < 0.4:
            beat = rng.standard_normal(min(800, length)) * numpy.linspace(3, 0, min(800, length))
            out[at:at + len(beat)] += beat.astype(numpy.float32)
    return out


def clicks(n, rng):
    """Knocks, clicks of the line, typing."""
    out = numpy.zeros(n, numpy.float32)
    for at in rng.integers(0, max(1, n - 400), rng.integers(1, 12)):
        length = min(n - at, int(rng.integers(40, 3000)))
        out[at:at + length] += rng.standard_normal(length).astype(numpy.float32) * numpy.exp(-numpy.arange(length) / (length / 4))
    return out


def breath(n, rng):
    """Breathing and wind: noise that swells, in a middle band."""
    x = coloured(n, rng)
    swell = numpy.interp(numpy.arange(n), numpy.linspace(0, n, 8), rng.uniform(0, 1, 8) ** 2)
    return (x * swell).astype(numpy.float32)


NON_SPEECH = (coloured, hum, tones, music, clicks, breath)


def non_speech(n, rng):
    """One or two sounds without speech, whose text is empty, at any level."""
    out = numpy.zeros(n, numpy.float32)
    for make in rng.choice(len(NON_SPEECH), int(rng.integers(1, 3)), replace=False):
        x = NON_SPEECH[make](n, rng)
        out += x / rms(x)
    return out / max(rms(out), 1e-6) * 10 ** rng.uniform(-3, -0.7)


def add(x, noise, snr):
    """x with noise, snr dB below it."""
    return x + noise * (rms(x) / rms(noise) * 10 ** (-snr / 20))


def mu_law(x, rng):
    """G.711 µ-law: 255 steps of a logarithmic scale."""
    y = numpy.sign(x) * numpy.log1p(255 * numpy.minimum(numpy.abs(x), 1)) / numpy.log(256)
    y = numpy.round(y * 127) / 127
    return numpy.sign(y) * (256 ** numpy.abs(y) - 1) / 255


def a_law(x, rng):
    """G.711 A-law."""
    a, scale = 87.6, 1 + numpy.log(87.6)
    level = numpy.minimum(numpy.abs(x), 1)
    y = numpy.where(level < 1 / a, a * level, 1 + numpy.log(numpy.maximum(a * level, 1))) / scale
    y = numpy.round(y * 127) / 127
    return numpy.sign(x) * numpy.where(y < 1 / scale, y * scale / a, numpy.exp(y * scale - 1) / a)


def telephone(x, rng):
    """The 8 kHz band with soft edges at 200-400 and 3,100-3,800 Hz, coded by µ-law or A-law."""
    low, high = rng.uniform(150, 400), rng.uniform(3100, 3800)
    band = lambda f: 1 / (1 + (low / numpy.maximum(f, 1)) ** 6) / (1 + (f / high) ** 24)
    y = resample_poly(filtered(x, band), 1, 2)
    peak = max(numpy.abs(y).max(), 1e-6)
    level = rng.uniform(0.05, 0.9) / peak
    y = (mu_law, a_law)[rng.integers(2)](y * level, rng) / level
    return resample_poly(y, 2, 1)[:len(x)].astype(numpy.float32)


def white(n, rng):
    return rng.standard_normal(n).astype(numpy.float32)


def over_telephone(x, snr, rng, noise=coloured):
    """A telephone line: noise at the given SNR in dB, the 8 kHz band, G.711."""
    x = x / max(rms(x), 1e-5) * 0.05
    return telephone(add(x, noise(len(x), rng), snr).astype(numpy.float32), rng)


def tilt(x, rng):
    """A microphone's frequency response: up to 6 dB up or down over the band, in steps."""
    steps = rng.uniform(-6, 6, 6)
    return filtered(x, lambda f: 10 ** (numpy.interp(f, numpy.linspace(0, RATE / 2, 6), steps) / 20))


def clip(x, rng):
    """Clipping of the loudest part."""
    level = numpy.quantile(numpy.abs(x), rng.uniform(0.9, 0.995)) + 1e-6
    return numpy.clip(x, -level, level)


def lose_packets(x, rng):
    """Lost packets of 20 ms: silence, or the packet before once more."""
    out, size = x.copy(), RATE // 50
    for i in numpy.flatnonzero(rng.random(len(x) // size) < rng.uniform(0.01, 0.06)):
        out[i * size:(i + 1) * size] = out[(i - 1) * size:i * size] if i > 0 and rng.random() < 0.6 else 0
    return out


def pad(x, before, after, rng):
    """Silence, with the faintest hiss, before and after; before and after in samples."""
    y = numpy.zeros(before + len(x) + after, numpy.float32)
    y[before:before + len(x)] = x
    return y


def trim(x, slack):
    """x from where it begins to sound to where it ends, with slack in levels of 10 ms before and after.

    As Munadi's engine finds the ends of words: 9 dB above the quietest tenth, at most 32 dB below the loudest twentieth.
    The mean over all bands would otherwise depend on how much silence there is around the word.
    """
    n = len(x) // LEVEL
    if n < 10:
        return x
    levels = 10 * numpy.log10(numpy.square(x[:n * LEVEL]).reshape(n, LEVEL).mean(1) + 1e-10)
    order = numpy.sort(levels)
    loud = numpy.flatnonzero(levels >= max(order[n // 10] + 9, order[n * 19 // 20] - 32))
    if not len(loud):
        return x
    first, last = max(0, loud[0] - slack[0]), min(n, loud[-1] + 1 + slack[1])
    return x[first * LEVEL:last * LEVEL] if last - first >= 10 else x
