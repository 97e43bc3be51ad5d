// Package model holds the default speech recognition model, the one that munadi uses when no other folder is named.
//
// The bundle is in the layout that onnx-asr loads (encoder-model.onnx, decoder_joint-model.onnx, vocab.txt,
// config.json) with tokenizer.model (SentencePiece), ctc-head.onnx (encoder_outputs [B, D, T] -> logprobs
// [B, T, V+1]) and munadi.json, which says what the model was trained on, what it can't do, how it is best
// decoded, and every file's SHA-256. engine/train made it, on top of what packaging/make-model had laid out.
package model

import (
	"embed"
	"io/fs"
)

//go:embed bundle
var files embed.FS

// BundleFS returns the default model's folder, its files at the root. A file's bytes lie in the binary: reading one
// copies it.
func BundleFS() fs.FS {
	bundle, err := fs.Sub(files, "bundle")
	if err != nil {
		return files // never: "bundle" is a valid name
	}
	return bundle
}
