package ort

import onnx "github.com/yalue/onnxruntime_go"

// LibraryVersion returns the loaded library's version; empty before LoadLibrary.
func LibraryVersion() string {
	if !onnx.IsInitialized() {
		return ""
	}
	return onnx.GetVersion()
}

// MappedBlocks returns the number of blocks that malloc has mapped on their own.
func MappedBlocks() int { return mappedBlocks() }
