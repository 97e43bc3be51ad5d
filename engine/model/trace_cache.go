package model

import (
	"cmp"
	"errors"
	"fmt"
)

// readCaches determines whether the encoder's graph is cache-aware, and returns the names of its inputs.
func (m *SpeechModel) readCaches(g *onnxGraph) (inputs []string, err error) {
	inputs = []string{tensorAudio, tensorLength}
	own := g.meta[coreMark] != ""
	switch {
	case !g.hasInput(tensorChannelCache):
		m.Streaming = nil
		return inputs, nil
	case own && m.Streaming == nil:
		return nil, errors.New("its graph has caches, but munadi.json has no streaming section")
	case !own:
		if m.Streaming, err = traceStreaming(g); err != nil {
			return nil, err
		}
		m.stepwise = true
		m.Preprocessor = cmp.Or(m.Preprocessor, unnormalizedConfig())
	}
	inputs = append(inputs, tensorChannelCache, tensorTimeCache, tensorCacheLength)
	if own {
		inputs = append(inputs, tensorContext, tensorDropped)
	}
	return inputs, nil
}

// traceStreaming derives the streaming parameters of NeMo's export with cache_support: the caches' shapes, the frames
// that a run returns (end of the result's slice) and those that attention caches (start of the cache's slice).
func traceStreaming(g *onnxGraph) (*StreamingConfig, error) {
	r := newReader(g)
	channel, time := g.shapes[tensorChannelCache], g.shapes[tensorTimeCache]
	if len(channel) != 4 || len(time) != 4 || !g.hasInput(tensorTimeCache) || !g.hasInput(tensorCacheLength) {
		return nil, fmt.Errorf("its caches have shapes %v and %v, want four dimensions each (export with cache_support)",
			channel, time)
	}
	_, end := r.readSliced(g.outputs[0], 2, 0)
	chunk := r.readIntegers(end)
	kept := r.findOperator(r.inputOf(outputChannelCache, "Transpose"), "Slice", 4)
	left := r.readIntegers(kept.in[1])
	if r.failed || len(chunk) != 1 || len(left) != 1 || chunk[0] < 1 || left[0] >= 0 {
		return nil, errors.New("its graph has caches, but does not slice its results as NeMo's export with " +
			"cache_support does: import the .nemo checkpoint instead")
	}
	s := &StreamingConfig{
		Chunked:  true,
		Contexts: []AttentionSpan{{Left: int(-left[0]), Right: int(chunk[0]) - 1}},
		Layers:   int(channel[1]), Width: int(channel[3]), Channels: int(time[2]), Taps: r.depthwiseTaps(),
	}
	if time[3] > 0 && s.Taps != int(time[3]) {
		s.Taps = int(time[3])
	}
	if err := s.checkBounds(); err != nil {
		return nil, fmt.Errorf("its graph's caches: %w", err)
	}
	return s, nil
}

// depthwiseTaps returns the number of earlier frames that the layers' convolutions need; NeMo's export does not state
// it.
func (r *graphReader) depthwiseTaps() int {
	for _, n := range r.findNodes("Conv") {
		if len(n.in) < 2 {
			continue
		}
		if w := r.tensors[n.in[1]]; len(w.dims) == 3 && w.dims[1] == 1 && w.dims[2] > 1 {
			return int(w.dims[2]) - 1
		}
	}
	return 0
}
