// Package voice is neural text to speech in process, run by ONNX Runtime: voices in Piper's layout, a VITS network
// NAME.onnx with its description NAME.onnx.json, and in Supertonic's, four networks that read characters.
//
//	voice.go              a voice of either layout: ids to samples
//	config.go             Piper's description: sample rate, phonemes and their ids, scales
//	phonemes.go           phonemes to ids
//	vits.go               Piper's network
//	decoder.go            its flow and decoder, which give the samples piece by piece
//	supertonic_config.go  Supertonic's description: shape, characters and their ids, the style of a speaker
//	characters.go         characters to ids
//	supertonic.go         Supertonic's networks
//	trial.go              the test of a voice before it is installed
//
// It handles phonemes and samples; package appliance/tts makes phonemes of texts. Files of voices are untrusted: sizes
// are bounded and everything is checked before the network runs.
package voice
