// Package ort holds ONNX Runtime's shared library for this platform, packed with zstd.
//
// It is bytes and their names only: engine/ort unpacks the library into a cache and loads it. The packed file is
// no part of the repository; packaging/fetch-onnxruntime, which make calls, puts it here from the PyPI wheel that
// SOURCES names. LICENSE and ThirdPartyNotices.txt travel with it.
package ort

// Version is the release of ONNX Runtime; engine/ort's binding needs API 24, which 1.24 brought.
const Version = "1.24.4"

// PackedLibrary returns the zstd-packed shared library, the hexadecimal SHA-256 of what it unpacks to, and its version.
// The packed bytes are empty on a platform for which none is shipped. They are not to be written to.
func PackedLibrary() (zst []byte, sha256, version string) { return packed, unpackedSHA256, Version }
