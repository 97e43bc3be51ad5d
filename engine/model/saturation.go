package model

import (
	"runtime"
	"slices"

	"golang.org/x/sys/cpu"
)

// largestWeight is the largest quantized weight. x86 processors without VNNI add two products of unsigned and signed
// bytes in 16 bits (vpmaddubsw), which saturates beyond 2·255·64; one file must serve every processor.
const largestWeight = 63

// saturatesFrom is the absolute signed 8-bit weight from which such a sum can saturate.
const saturatesFrom = 65

// AddsIn16Bits reports whether this processor adds products of bytes in 16 bits.
func AddsIn16Bits() bool {
	return runtime.GOARCH == "amd64" && !cpu.X86.HasAVX512VNNI && !cpu.X86.HasAVXVNNI
}

// hasWideWeights reports whether signed 8-bit weights of a graph can saturate where products are added in 16 bits.
// Weights that cannot be found are left out: the graph does not load then.
func hasWideWeights(f ModelFolder, g *onnxGraph, encoder string) bool {
	data := fileBytes{close: func() {}}
	defer func() {
		data.dropPages()
		data.close()
	}()
	for _, n := range g.nodes {
		if n.op != "MatMulInteger" || len(n.in) < 2 || g.tensors[n.in[1]].typ != typeInt8 {
			continue
		}
		t := g.tensors[n.in[1]]
		if t.external && data.bytes == nil {
			b, err := f.openFile(encoder + dataSuffix)
			if err != nil {
				return false
			}
			data = b
		}
		if t.external {
			end := t.at + int(t.elementCount())
			if t.at < 0 || end < t.at || end > len(data.bytes) {
				return false
			}
			t.raw = data.bytes[t.at:end]
		}
		if slices.ContainsFunc(t.raw, isWideWeight) {
			return true
		}
	}
	return false
}

func isWideWeight(b byte) bool { return int8(b) >= saturatesFrom || int8(b) <= -saturatesFrom }
