package model

import (
	"cmp"
	"fmt"
	"maps"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// The rewritten encoder declares the shapes whose dimensions ONNX Runtime can't infer, in every layer: without them
// loading takes time quadratic in the number of operators. TestRewrittenEncoderAgrees shows that they are true.
func TestRewrittenEncoderNamesItsDimensions(t *testing.T) {
	t.Parallel()
	f, err := FolderAt("../testdata/reference")
	if err != nil {
		t.Fatal(err)
	}
	enc, err := f.openFile("encoder-model.onnx")
	if err != nil {
		t.Fatal(err)
	}
	defer enc.close()
	g, err := parseGraph(enc.bytes)
	if err != nil {
		t.Fatal(err)
	}
	for tables, distances := range map[int64]map[string]int{
		1 << 30: {"4 36 munadi.span": 8},
		-1:      {"munadi.span 144": 8, "munadi.half 72": 2},
	} {
		want := map[string]int{
			"munadi.frames 144": 1, "1 144 munadi.frames": 8, "4 munadi.frames munadi.frames": 8,
		}
		maps.Copy(want, distances)
		if got := declaredShapes(t, replaceCore(g, "", tables)); !maps.Equal(got, want) {
			t.Errorf("tables of %d bytes: %v, want %v", tables, got, want)
		}
	}
}

// declaredShapes counts the shapes of a replacement's values.
func declaredShapes(t *testing.T, c *coreReplacement) map[string]int {
	t.Helper()
	if c == nil {
		t.Fatal("the encoder was not recognized")
	}
	shapes := map[string]int{}
	err := eachField(c.fields, 0, func(f protoField) error {
		if f.num != graphValueInfo {
			return nil
		}
		var dims []string
		err := eachIn(f.bytes, []protowire.Number{valueType, 1, 2, 1}, func(d []byte) error {
			return eachField(d, 0, func(size protoField) error {
				dims = append(dims, cmp.Or(string(size.bytes), fmt.Sprint(size.varint)))
				return nil
			})
		})
		shapes[strings.Join(dims, " ")]++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return shapes
}
