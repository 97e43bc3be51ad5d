package model

import (
	"os"
	"testing"
)

// FuzzReplace changes the default model's graph in a few places, four bytes each: reading it must neither panic nor
// loop endlessly.
func FuzzReplace(f *testing.F) {
	encoder, err := os.ReadFile("../../assets/model/bundle/encoder-model.onnx")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{})
	f.Add([]byte{0, 77, 0, 3})
	f.Add([]byte{2, 100, 1, 9, 3, 200, 2, 0})
	f.Add([]byte{8, 72, 3, 1, 2, 90, 4, 0, 3, 33, 5, 200})
	f.Fuzz(func(t *testing.T, changes []byte) {
		g, err := parseGraph(encoder)
		if err != nil {
			t.Fatal(err)
		}
		for ; len(changes) >= 4; changes = changes[4:] {
			change(g, changes)
		}
		if p := replaceCore(g, "file", defaultTables); p != nil && len(p.fields) == 0 {
			t.Error("the replacement is empty")
		}
	})
}

// change damages one node, or the tensor that it reads.
func change(g *onnxGraph, c []byte) {
	n := &g.nodes[(int(c[0])<<8|int(c[1]))%len(g.nodes)]
	other := &g.nodes[(int(c[3])*len(g.nodes))>>8]
	switch c[2] % 6 {
	case 0:
		n.op = other.op
	case 1:
		n.in = append(n.in[:len(n.in)/2:len(n.in)/2], other.out...)
	case 2:
		n.in = n.in[:len(n.in)/2]
	case 3:
		n.lists["perm"], n.ints = nil, map[string]int64{"axis": int64(c[3])}
	case 4:
		n.out = other.out
	case 5:
		for _, in := range n.in {
			if t, ok := g.tensors[in]; ok {
				t.dims, t.raw = t.dims[:len(t.dims)/2], t.raw[:len(t.raw)/2]
				g.tensors[in] = t
			}
		}
	}
}
