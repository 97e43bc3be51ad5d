// Package ort holds ONNX Runtime's shared library for this platform, packed with zstd.
//
// It is bytes and their names only: engine/ort unpacks the library into a cache and loads it. The packed file is
// no part of the repository; packaging/fetch-onnxruntime, which make calls, puts it here from the PyPI wheel that
// SOURCES names. LICENSE and ThirdPartyNotices.txt travel with it.
package ort

// Version is the release of ONNX Runtime; engine/ort's binding needs API 24, which 1.24 brought.
//
// 1.31.1 was measured on 22 November 2026 and rejected: all tests of package engine pass with it, the golden ones
// included, but it brings no speed and 2.7 MB more (8.9 MB packed instead of 6.2). Ten seconds of mel spectrogram
// through the default model's encoder, one thread, 40 times, three runs of each in turn on a busy two-core machine:
// 1.9, 2.0 and 2.1 s of processor time with 1.24.4, 2.0, 1.9 and 2.3 s with 1.31.1; best wall time 26.5 and 27.8 ms.
const Version = "1.24.4"

// PackedLibrary returns the zstd-packed shared library, the hexadecimal SHA-256 of the unpacked file, and its version.
// The packed bytes are empty on a platform without a bundled library, and must not be modified.
func PackedLibrary() (zst []byte, sha256, version string) { return packed, unpackedSHA256, Version }
