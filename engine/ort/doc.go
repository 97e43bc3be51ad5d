// Package ort wraps ONNX Runtime: its shared library, unpacked once and loaded once, and sessions that run a graph. It
// handles tensors and names, nothing of speech; no other package imports onnxruntime_go.
//
// The library is process-wide state by ONNX Runtime's own design (one environment a process), so Load is idempotent and
// there is no Unload. A Session is safe for concurrent Run calls and lives as long as the process, because recreating
// sessions grows resident memory.
package ort
