"""Speaks with Piper's own runtime: sentences in phonemes and scales as JSON in, ids and samples out. peer.py VOICE.onnx"""

import json
import sys

from piper import PiperVoice, SynthesisConfig

asked = json.load(sys.stdin)
voice = PiperVoice.load(sys.argv[1])
noise, length, noise_w = asked["scales"]
config = SynthesisConfig(noise_scale=noise, length_scale=length, noise_w_scale=noise_w)
answer = []
for phonemes in asked["sentences"]:
    ids = voice.phonemes_to_ids(list(phonemes))
    answer.append({"IDs": ids, "Samples": voice.phoneme_ids_to_audio(ids, config).tolist()})
json.dump(answer, sys.stdout)
