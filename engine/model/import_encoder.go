package model

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
)

// coreMark is the metadata key of an encoder that this package wrote: its graph takes one utterance of valid frames.
const coreMark = "munadi.core"

// writeEncoder writes the encoder's graph and its weights.
func (im *checkpointImporter) writeEncoder() error {
	w, err := newWeightWriter(filepath.Join(im.dir, encoderFile+dataSuffix))
	if err != nil {
		return err
	}
	im.weights = w
	c := im.readConformer()
	c.prompt = im.readPrompt()
	if err := errors.Join(im.err, w.Close()); err != nil {
		return err
	}
	return im.writeFile(encoderFile, encoderGraph(c, encoderFile+dataSuffix, im.checkpoint.Encoder.Features, im.width))
}

// encoderGraph returns the serialized encoder: audio_signal [1, F, T] and length [1] in, outputs [1, D, T'] out. Its
// weights are in the file named data in the same folder.
func encoderGraph(c conformerEncoder, data string, features, width int) []byte {
	e := graphEmitter{file: data, tables: defaultTables, bytes: map[string][]string{}}
	e.emitConformer(c)
	g := appendString(e.fields, graphName, "encoder")
	g = appendNode(g, "Transpose", []string{c.result}, "outputs", intsAttribute("perm", 0, 2, 1))
	g = appendValue(g, graphInput, tensorAudio, typeFloat, 1, features, "frames")
	g = appendValue(g, graphInput, tensorLength, typeInt64, 1)
	g = appendValue(g, graphOutput, "outputs", typeFloat, 1, width, "encoded")
	if c.caches != nil {
		g = appendCacheValues(g, c)
	}
	if c.prompt != nil {
		g = appendInput(g, tensorPrompt, c.prompt.usual)
	}
	return onnxModel(g, coreMark)
}

// onnxModel returns a serialized ModelProto around a graph, with metadata keys that identify it.
func onnxModel(g []byte, marks ...string) []byte {
	m := appendInt(nil, modelVersion, 8)
	m = appendString(m, modelProducer, "munadi")
	m = appendMessage(m, modelOpset, appendInt(nil, opsetVersion, 17))
	m = appendMessage(m, modelGraph, g)
	for _, mark := range marks {
		m = appendMessage(m, modelMetadata, appendString(appendString(nil, entryKey, mark), entryValue, "1"))
	}
	return m
}

// readConformer reads the encoder's weights in the order of the graph.
func (im *checkpointImporter) readConformer() conformerEncoder {
	e := im.checkpoint.Encoder
	c := conformerEncoder{
		result:  "munadi.core",
		context: attentionReach(e.Chunked, e.Context().Left, e.Context().Right),
		caches:  cacheFormOf(e),
	}
	c.subsampling = im.readSubsampling()
	c.positions = im.makePositions()
	for i := range e.Layers {
		if im.err != nil {
			return c
		}
		c.layers = append(c.layers, im.readLayer(fmt.Sprintf("encoder.layers.%d.", i)))
	}
	im.width = e.Width
	if e.OutputWidth > 0 {
		project := im.readLinear("encoder.out_proj", e.Width, e.OutputWidth)
		c.project, im.width = &project, e.OutputWidth
	}
	return c
}

// attentionReach converts NeMo's context from frames to chunks. With unlimited right context, chunks are of one frame.
func attentionReach(chunked bool, left, right int) attentionContext {
	c := attentionContext{limited: left >= 0 || right >= 0, chunk: 1, left: int64(left), right: int64(right)}
	if chunked && right >= 0 {
		c.chunk, c.right = int64(right)+1, 0
		if left >= 0 {
			c.left = int64(left) / c.chunk
		}
	}
	return c
}

// readLinear reads torch's Linear: weight [out, in] and optionally bias [out].
func (im *checkpointImporter) readLinear(name string, in, out int) affineMap {
	w := im.readMatrix(name+".weight", int64(out), int64(in))
	return im.storeProduct(w, im.readOptional(name+".bias", int64(out)), in, out)
}

// storeProduct stores a product's matrix [in, out].
func (im *checkpointImporter) storeProduct(w, bias []float32, in, out int) affineMap {
	if im.err != nil {
		return affineMap{}
	}
	return im.weights.putAffine(w, bias, int64(in), int64(out), im.int8)
}

// layerNorm reads torch's LayerNorm over width values.
func (im *checkpointImporter) layerNorm(name string, width int) layerNorm {
	scale, shift := im.readNumbers(name+".weight", int64(width)), im.readNumbers(name+".bias", int64(width))
	if im.err != nil {
		return layerNorm{}
	}
	return layerNorm{
		node:  operatorWith("LayerNormalization", intAttribute("axis", -1), floatAttribute("epsilon", 1e-5)),
		scale: im.weights.putFloats(scale, int64(width)), shift: im.weights.putFloats(shift, int64(width)),
	}
}

// operatorWith returns a node with only an operator's type and attributes.
func operatorWith(op string, attrs ...[]byte) *operatorNode {
	return &operatorNode{op: op, raw: marshalNode(op, nil, []string{""}, attrs...)}
}

func (im *checkpointImporter) readLayer(prefix string) conformerLayer {
	d := im.checkpoint.Encoder.Width
	l := conformerLayer{
		before: im.feedForward(prefix, "1"),
		attend: im.readAttention(prefix),
		local:  im.readConvolution(prefix),
		after:  im.feedForward(prefix, "2"),
	}
	l.norm = im.layerNorm(prefix+"norm_out", d)
	return l
}

func (im *checkpointImporter) feedForward(prefix, number string) feedForward {
	d, name := im.checkpoint.Encoder.Width, prefix+"feed_forward"+number
	inner := 0
	if shape := im.checkpoint.TensorShape(name + ".linear1.weight"); len(shape) == 2 {
		inner = int(shape[0])
	}
	return feedForward{
		norm: im.layerNorm(prefix+"norm_feed_forward"+number, d),
		in:   im.readLinear(name+".linear1", d, inner),
		out:  im.readLinear(name+".linear2", inner, d), scale: 0.5,
	}
}

func (im *checkpointImporter) readAttention(prefix string) relativeAttention {
	e := im.checkpoint.Encoder
	name, width := prefix+"self_attn.", e.Width/e.Heads
	a := relativeAttention{
		norm:  im.layerNorm(prefix+"norm_self_att", e.Width),
		query: im.readLinear(name+"linear_q", e.Width, e.Width),
		key:   im.readLinear(name+"linear_k", e.Width, e.Width),
		value: im.readLinear(name+"linear_v", e.Width, e.Width),
		out:   im.readLinear(name+"linear_out", e.Width, e.Width),
		heads: int64(e.Heads), width: int64(width), scale: float32(1 / math.Sqrt(float64(width))),
	}
	a.distance = im.storeProduct(
		im.readMatrix(name+"linear_pos.weight", int64(e.Width), int64(e.Width)), nil, e.Width, e.Width,
	)
	a.u = im.readNumbers(name+"pos_bias_u", a.heads, a.width)
	a.v = im.readNumbers(name+"pos_bias_v", a.heads, a.width)
	return a
}

// makePositions makes the table of encoded distances as NeMo does, in float32: alternating sines and cosines.
func (im *checkpointImporter) makePositions() positionTable {
	width, first, last := im.checkpoint.Encoder.Width, im.maxFrames()-1, 1-im.maxFrames()
	if form := cacheFormOf(im.checkpoint.Encoder); form != nil {
		first, last = int(form.behind), -int(form.ahead)
	}
	rows := first - last + 1
	table := make([]float32, 0, rows*width)
	step := float32(math.Log(10000) / float64(width))
	for at := first; at >= last; at-- {
		for i := 0; i < width; i += 2 {
			angle := float64(float32(at) * float32(math.Exp(float64(-float32(i)*step))))
			table = append(table, float32(math.Sin(angle)), float32(math.Cos(angle)))
		}
	}
	return positionTable{table: im.weights.putFloats(table, 1, int64(rows), int64(width))}
}
