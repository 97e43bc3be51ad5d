package ort

import _ "embed"

//go:embed linux-amd64/libonnxruntime.so.zst
var packed []byte

const unpackedSHA256 = "2d518e11c7767f9fdc4413bdbeb45acf30db504ff76a82fc19d9238a3f9f6c24"
