// Package voice is neural text to speech in process: voices in Piper's layout, a VITS network NAME.onnx with its
// description NAME.onnx.json, run by ONNX Runtime.
//
//	config.go    the description: sample rate, phonemes and their ids, scales
//	phonemes.go  phonemes to ids
//	voice.go     the network: ids to samples
//	decoder.go   its decoder, which gives the samples piece by piece
//	trial.go     the test of a voice before it is installed
//
// It handles phonemes and samples; package appliance/tts makes phonemes of texts. Files of voices are untrusted: sizes
// are bounded and everything is checked before the network runs.
package voice
