"""Speaks with Supertonic's own runtime, without noise: texts as JSON in, ids and samples out. peer_supertonic.py FOLDER"""

import json
import pathlib
import sys

import numpy
import onnxruntime
from supertonic.core import Supertonic, UnicodeProcessor
from supertonic.loader import load_voice_style_from_json_file

folder = pathlib.Path(sys.argv[1])
numpy.random.randn = lambda *shape: numpy.zeros(shape)
text = UnicodeProcessor(str(folder / "unicode_indexer.json"))
networks = [onnxruntime.InferenceSession(folder / f"{name}.onnx")
            for name in ("duration_predictor", "text_encoder", "vector_estimator", "vocoder")]
voice = Supertonic(json.loads((folder / "tts.json").read_text()), text, *networks)
style = load_voice_style_from_json_file(folder / "style.json")
answer = []
for sentence in json.load(sys.stdin):
    ids, _ = text([sentence], "ar")
    sound, seconds = voice([sentence], style, total_step=8, speed=1.05, lang="ar")
    samples = sound[0, : int(voice.sample_rate * seconds[0].item())]
    answer.append({"IDs": ids[0].tolist(), "Samples": samples.tolist()})
json.dump(answer, sys.stdout)
