package model

// conformer is a FastConformer encoder as read from a graph.
type conformer struct {
	subsampling subsampling
	positions   positions
	layers      []layer
	context     attentionContext
	project     *affine // of the last layer's output; nil: none
	result      string  // the value that it computes, [1, T', D]
}

// layer is a macaron of feed-forward, attention, convolution and feed-forward, each normalised and added to its input,
// and a last normalisation.
type layer struct {
	before feedForward
	attend attention
	local  convolution
	after  feedForward
	norm   norm
}

// replacement is a new core for a graph, as serialised nodes and initialisers, and what stays of the old one.
type replacement struct {
	fields []byte          // of a GraphProto
	result string          // the old value that fields computes
	live   map[string]bool // old values that are still needed
}

// replace reads the encoder's core and writes it anew; nil when the graph is of another kind. Weights are referred to
// in file, or carried when it is empty; tables computed at load may take so many bytes. See the package comment.
func replace(g *graph, file string, tables int64) *replacement {
	r := newReader(g)
	c := r.conformer()
	if r.failed {
		return nil
	}
	e := emitter{file: file, tables: tables, bytes: map[string][]string{}}
	e.conformer(c)
	return &replacement{fields: e.fields, result: c.result, live: r.needed(c.result)}
}

// conformer follows the graph from its last normalisation to its input.
func (r *reader) conformer() conformer {
	c := conformer{}
	norms := r.find("LayerNormalization")
	if len(norms) == 0 || r.nested() {
		r.failed = true
		return c
	}
	c.result = output(norms[len(norms)-1])
	name := c.result
	for !r.failed && r.is(name, "LayerNormalization") {
		r.expect(len(c.layers) < len(r.nodes)) // a broken file may go round in circles
		var l layer
		l, name = r.layer(name, &c.positions)
		c.layers = append([]layer{l}, c.layers...)
	}
	c.subsampling = r.subsampling(name)
	return c
}

func (r *reader) layer(name string, p *positions) (layer, string) {
	l := layer{}
	l.norm, name = r.norm(name)
	l.after, name = r.feedForward(name)
	l.local, name = r.convolution(name)
	l.attend, name = r.attention(name, p)
	l.before, name = r.feedForward(name)
	return l, name
}

func (e *emitter) conformer(c conformer) {
	x := e.subsampling(c.subsampling)
	frames := e.op("Shape", []string{x}, integer("start", 0), integer("end", 1))
	at := e.positions(c.positions, len(c.layers), frames)
	at.penalty = e.penalty(c.context, frames)
	for _, l := range c.layers {
		x = e.feedForward(l.before, x)
		x = e.attention(l.attend, x, at)
		x = e.convolution(l.local, x)
		x = e.feedForward(l.after, x)
		x = e.norm(l.norm, x)
	}
	if c.project != nil {
		x = e.affine(*c.project, x, 1)
	}
	e.fields = appendNode(e.fields, "Unsqueeze", []string{x, e.integers(0)}, c.result)
}

// emitted is the replacement's fields, empty for nil.
func (p *replacement) emitted() []byte {
	if p == nil {
		return nil
	}
	return p.fields
}

// replaces reports whether the field f of the old graph goes: operators and weights that nothing needs any more, and
// remarks on values that may be gone.
func (p *replacement) replaces(f field) (bool, error) {
	if p == nil {
		return false, nil
	}
	switch f.num {
	case graphNode:
		n, err := parseNode(f)
		for _, out := range n.out {
			if p.live[out] && out != p.result {
				return false, err
			}
		}
		return true, err
	case graphInitializer:
		name, err := stringField(f.bytes, tensorName)
		return !p.live[name], err
	}
	return f.num == graphValueInfo, nil
}
