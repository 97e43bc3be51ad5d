// Package model holds the default speech recognition model, which munadi uses unless another folder is configured.
//
// The bundle is in the layout that onnx-asr loads (encoder-model.onnx, decoder_joint-model.onnx, vocab.txt,
// config.json) with tokenizer.model (SentencePiece), ctc-head.onnx (encoder_outputs [B, D, T] -> logprobs
// [B, T, V+1]) and munadi.json, with the model's training data, limits, recommended decoding and every file's SHA-256.
// engine/train made it, from a layout by packaging/make-model.
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
