package ort

import _ "embed"

//go:embed linux-arm64/libonnxruntime.so.zst
var packed []byte

const unpackedSHA256 = "f373ae5fd4d878ed17ebea26e5480bd3d0a15e3bd6bc94b878e6c1b73998d22a"
