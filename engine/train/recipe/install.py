"""Installs an exported model as the default one: its files, description and figures, and the checksums of SOURCES."""

import argparse
import hashlib
import json
import pathlib
import re
import shutil

FIGURES = [
    ("words", "{n} single words by the six validation speakers of Arabic Speech Commands, sent to the service"
     " ({low:.1f} to {high:.1f} with 95 % confidence){note}", "accuracy_percent"),
    ("grammar", "new sentences of its grammar, synthetic voices held out, clean ({low:.1f} to {high:.1f})", "wer_percent"),
    ("grammar_telephone", "the same over an 8 kHz telephone with noise at 10 dB ({low:.1f} to {high:.1f})", "wer_percent"),
    ("unseen", "sentences outside its grammar, synthetic voices held out, clean ({low:.1f} to {high:.1f})", "wer_percent"),
    ("callee", "what called people say, by the parametric voice in three pitches ({low:.1f} to {high:.1f})", "wer_percent"),
]
NOTE = "; the model that it began with may have been trained on them"


def metrics(results, warm):
    """Returns the figures that munadi model info shows."""
    out = []
    for key, text, field in FIGURES:
        v = results[key]["production"]
        out.append({"what": text.format(**v, note=NOTE if warm else ""), field: round(v["percent"], 1)})
    return out


def sums(folder):
    return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in sorted(folder.iterdir()) if f.name != "munadi.json"}


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--cache", type=pathlib.Path, required=True)
    p.add_argument("--assets", type=pathlib.Path, required=True)
    p.add_argument("--label", type=pathlib.Path, required=True)
    p.add_argument("--scratch", action="store_true", help="the model was not begun with another one")
    a = p.parse_args()
    bundle, words = a.assets / "model" / "bundle", json.loads(a.label.read_text(encoding="utf-8"))
    results = json.loads((a.cache / "results-bundle.json").read_text(encoding="utf-8"))
    for f in (a.cache / "bundle").iterdir():
        shutil.copyfile(f, bundle / f.name)
    last = words.pop("licences"), words.pop("max_frames")
    exported = json.loads((a.cache / "bundle" / "munadi.json").read_text(encoding="utf-8"))
    words |= {key: exported[key] for key in ("preprocessor", "word_verifier") if key in exported}
    words |= {"metrics": metrics(results, not a.scratch), "licences": last[0], "max_frames": last[1], "files": sums(bundle)}
    (bundle / "munadi.json").write_text(json.dumps(words, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    sources = a.assets / "SOURCES"
    text = sources.read_text(encoding="utf-8")
    for name, digest in words["files"].items():
        text = re.sub(rf"^[0-9a-f]{{64}}(?=  model/bundle/{re.escape(name)}$)", digest, text, flags=re.M)
    sources.write_text(text, encoding="utf-8")
    print(f"install: {bundle}")


if __name__ == "__main__":
    main()
