// Package vad holds Silero's voice activity model, as its PyPI package ships it (MIT, see LICENSE).
package vad

import _ "embed"

//go:embed silero_vad_16k_sequence.onnx
var model []byte

// ModelBytes returns the ONNX bytes of Silero VAD 6.2.3's 16 kHz sequence model, which takes many windows in one call:
// input [frames, 576], h [1, 1, 128], c [1, 1, 128] -> speech_probs [frames], hn, cn. They are not to be written to.
func ModelBytes() []byte { return model }
