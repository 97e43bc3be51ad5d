package ort

import onnx "github.com/yalue/onnxruntime_go"

// LibraryVersion returns the loaded library's own version, or empty before Load.
func LibraryVersion() string {
	if !onnx.IsInitialized() {
		return ""
	}
	return onnx.GetVersion()
}
