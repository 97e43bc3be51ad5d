//go:build !(linux && (amd64 || arm64))

package ort

var packed []byte

const unpackedSHA256 = ""
