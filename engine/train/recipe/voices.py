"""espeak-ng's Arabic as a library, by ctypes: text in, samples and word times out.

A voice is a variant (formants, breath, klatt source), a pitch, a range and a rate. Some variants are held out for the
evaluation. libespeak-ng keeps one global state: one Espeak a process.
"""

import ctypes
import pathlib

import numpy
from scipy.signal import resample_poly

RATE = 22050  # Hz, of libespeak-ng's output
# For the evaluation only: men, women, and klatt's source.
HELD_OUT = ["f4", "m5", "m8", "klatt3", "linda", "steph2", "paul", "Denis"]
# Effects rather than speakers, and robots.
UNUSED = ("Demonic", "robosoft", "UniRobot", "whisper", "fast", "announcer", "anikaRobot", "RicishayMax", "croak")
SYNCHRONOUS, UTF8, WORD_EVENT, END_OF_LIST = 2, 1, 1, 0
RATE_OF_SPEECH, VOLUME, PITCH, RANGE = 1, 2, 3, 4


class Event(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("identifier", ctypes.c_uint), ("text_position", ctypes.c_int),
                ("length", ctypes.c_int), ("audio_position", ctypes.c_int), ("sample", ctypes.c_int),
                ("user_data", ctypes.c_void_p), ("id", ctypes.c_char * 8)]


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))


def variants(folder):
    """The variants to train with, in a fixed order, and those held out."""
    names = sorted(p.name for p in (pathlib.Path(folder) / "voices" / "!v").iterdir())
    usable = [n for n in names if not n.startswith(UNUSED) and " " not in n]
    return [n for n in usable if n not in HELD_OUT], [n for n in usable if n in HELD_OUT]


class Espeak:
    def __init__(self):
        self.lib = ctypes.CDLL("libespeak-ng.so.1")
        rate = self.lib.espeak_Initialize(SYNCHRONOUS, 0, None, 0)
        if rate != RATE:
            raise RuntimeError(f"libespeak-ng gives {rate} Hz, not {RATE}")
        path = ctypes.c_char_p()
        self.lib.espeak_Info.restype = ctypes.c_char_p
        self.version = self.lib.espeak_Info(ctypes.byref(path)).decode()
        self.training, self.held_out = variants(path.value.decode())
        self.blocks, self.onsets = [], []
        self.callback = CALLBACK(self._receive)  # kept alive with this object
        self.lib.espeak_SetSynthCallback(self.callback)

    def _receive(self, samples, count, events):
        if count > 0:
            self.blocks.append(numpy.ctypeslib.as_array(samples, (count,)).copy())
        i = 0
        while events[i].type != END_OF_LIST:
            if events[i].type == WORD_EVENT:
                self.onsets.append(events[i].audio_position)
            i += 1
        return 0

    def say(self, words, variant, pitch, spread, rate):
        """Returns int16 samples at 16 kHz and, if espeak reported every word's start, [start, end] of each in samples."""
        self.blocks, self.onsets = [], []
        if self.lib.espeak_SetVoiceByName(f"ar+{variant}".encode()) != 0:
            raise RuntimeError(f"espeak-ng has no voice ar+{variant}")
        for parameter, value in ((RATE_OF_SPEECH, rate), (VOLUME, 100), (PITCH, pitch), (RANGE, spread)):
            self.lib.espeak_SetParameter(parameter, int(value), 0)
        text = " ".join(words).encode() + b"\0"
        self.lib.espeak_Synth(text, len(text), 0, 1, 0, UTF8, None, None)
        if not self.blocks:
            return numpy.zeros(0, numpy.int16), None
        sound = resample_poly(numpy.concatenate(self.blocks).astype(numpy.float32), 320, 441)
        sound = numpy.clip(sound, -32768, 32767).astype(numpy.int16)
        spans = None
        if len(self.onsets) == len(words):
            starts = [min(ms * 16, len(sound)) for ms in self.onsets]
            spans = [[a, b] for a, b in zip(starts, starts[1:] + [len(sound)])]
        return sound, spans


def random_voice(rng, names):
    """Parameters of one utterance."""
    return dict(variant=rng.choice(names), pitch=rng.randrange(15, 90), spread=rng.randrange(20, 90),
                rate=rng.randrange(115, 240))
