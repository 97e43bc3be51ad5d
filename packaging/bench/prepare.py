"""Preparation of a run: builds the programs, unpacks Silero's models, describes the machine."""

import datetime
import hashlib
import importlib.metadata
import os
import pathlib
import platform
import re
import shutil
import subprocess
import zipfile

SILERO = "6.2.3"
SILERO_FILES = {
    "silero_vad.onnx": "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3",
    "silero_vad_16k_sequence.onnx": "9ccdacc4719d8aa7e45a77536bfabec45a03ba1f2fad5e241ab4060b24238a85",
}


def programs(root, cache, worker, appliance):
    """Builds munadi's worker and the appliance, if they are measured."""
    for name, package, wanted in (("munadibench", "./packaging/bench/munadibench", worker),
                                  ("munadi", "./appliance/cmd/munadi", appliance)):
        if wanted:
            subprocess.run(["go", "build", "-o", str(cache / name), package], cwd=root, check=True)


def silero(cache):
    """The folder with Silero's ONNX files, from its wheel."""
    folder = cache / "vad"
    if all((folder / name).exists() for name in SILERO_FILES):
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    if not (cache / f"silero_vad-{SILERO}-py3-none-any.whl").exists():
        raise SystemExit(f"bench: silero-vad {SILERO} is missing: packaging/setup bench fetches its wheel")
    with zipfile.ZipFile(cache / f"silero_vad-{SILERO}-py3-none-any.whl") as wheel:
        for name, sha256 in SILERO_FILES.items():
            data = wheel.read(f"silero_vad/data/{name}")
            if hashlib.sha256(data).hexdigest() != sha256:
                raise SystemExit(f"bench: {name} does not have the expected checksum")
            (folder / name).write_bytes(data)
    return folder


def cpu():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def flags():
    """Returns the vector extensions that determine the speed of the kernels."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    known = ("avx2", "fma", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8")
    return [flag for flag in known if re.search(rf"\b{flag}\b", text)]


# Peers that are no Python packages: name, programs by which they would be found, what they need to be measured here.
OTHERS = {
    "parakeet.cpp": ["parakeet", "parakeet-cli"],
    "NeMo-Speech.cpp": ["nemo-speech", "nemo-speech-cli"],
}


def lacking():
    """Returns why each peer that this run cannot measure is not in its tables, by its name."""
    why = {}
    for name, programs in OTHERS.items():
        found = next((path for path in map(shutil.which, programs) if path), None)
        why[name] = (f"{found} is installed, and the benchmark has no worker for it yet" if found
                     else "not installed, and no Python package: it would have to be built from its sources")
    return why


def sherpas_runtime():
    """Returns the version of the ONNX Runtime in sherpa-onnx's wheel."""
    import sherpa_onnx
    library = pathlib.Path(sherpa_onnx.__file__).parent / "lib" / "libonnxruntime.so"
    found = re.search(rb"VERS_(\d+\.\d+\.\d+)", library.read_bytes())
    return found.group(1).decode() if found else "unknown"


def output(*argv, cwd):
    done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def machine(root, cache):
    """Returns the description above the tables."""
    version = importlib.metadata.version
    dirty = "" if output("git", "status", "--porcelain", "--", "*.go", cwd=root) == "" else " with changes"
    return {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": f"{cpu()}, {len(os.sched_getaffinity(0))} CPUs ({' '.join(flags())}), "
                   f"Linux {platform.release()}",
        "load before": f"{os.getloadavg()[0]:.2f}",
        "munadi": f"{output('git', 'rev-parse', '--short', 'HEAD', cwd=root)}{dirty}, "
                  f"{output('go', 'version', cwd=root).removeprefix('go version ')}",
        "sherpa-onnx": f"{version('sherpa-onnx')} (Python API, its own ONNX Runtime {sherpas_runtime()})",
        "onnx-asr": f"{version('onnx-asr')} (Python API, ONNX Runtime {version('onnxruntime')})",
        "Python": platform.python_version(),
        "Silero VAD": SILERO,
    }
