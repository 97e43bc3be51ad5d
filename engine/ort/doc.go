// Package ort is the home of ONNX Runtime: its shared library, unpacked once and loaded once, and sessions that run
// a graph. It knows tensors and names, nothing of speech; no other package imports onnxruntime_go.
//
// The library is process-wide state by ONNX Runtime's own design (one environment a process), so Load is idempotent
// and there is no Unload. A Session is safe for concurrent Run calls; one Session a model lives as long as the process,
// because recreating sessions grows resident memory.
package ort
