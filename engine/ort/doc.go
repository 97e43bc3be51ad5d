// Package ort wraps ONNX Runtime: its shared library, unpacked once and loaded once, and sessions that run a graph. It
// handles tensors and names, independent of speech; no other package imports onnxruntime_go.
//
// ONNX Runtime has one environment per process, so LoadLibrary is idempotent and there is no way to unload. A
// GraphSession is safe for concurrent Run calls. Sessions should be kept, because recreating them grows resident
// memory.
package ort
