package model

import (
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"

	"munadi/engine/nemo"
)

// cacheFormOf returns the cache-aware form of a checkpoint's encoder, nil if later audio changes frames that are
// already encoded: if convolutions have look-ahead, or attention has it beyond its chunk.
func cacheFormOf(e nemo.EncoderConfig) *cacheForm {
	usual := streamingContexts(e)
	if len(usual) == 0 || usual[0] != AttentionSpan(e.Context()) {
		return nil
	}
	form := &cacheForm{
		chunked: e.Chunked, left: int64(usual[0].Left), right: int64(usual[0].Right),
		dropped: int64(repeatedFrames(e.Causal)),
	}
	for _, c := range usual {
		form.behind = max(form.behind, int64(c.cachedFrames(e.Chunked)+c.Right))
		form.ahead = max(form.ahead, int64(c.Right))
	}
	return form
}

// streamingContexts returns the checkpoint's contexts for which streaming equals encoding the whole utterance.
func streamingContexts(e nemo.EncoderConfig) []AttentionSpan {
	var spans []AttentionSpan
	for _, c := range e.Contexts {
		bounded := c.Left >= 0 && c.Right >= 0 && c.Left+c.Right <= maxCachedFrames
		if bounded && e.Right == 0 && (e.Chunked || c.Right == 0) {
			spans = append(spans, AttentionSpan(c))
		}
	}
	return spans
}

// streamingConfigOf returns the model folder's description of its encoder's cache-aware form; nil without one.
func streamingConfigOf(e nemo.EncoderConfig) *StreamingConfig {
	if cacheFormOf(e) == nil {
		return nil
	}
	return &StreamingConfig{
		Chunked: e.Chunked, Contexts: streamingContexts(e), Layers: e.Layers, Width: 2 * e.Width, Channels: e.Width,
		Taps: e.Left,
	}
}

// appendCacheValues declares the inputs and outputs of a cache-aware encoder. Context and dropped frames have defaults,
// with which the graph takes exactly NeMo's inputs.
func appendCacheValues(g []byte, c conformerEncoder) []byte {
	layers, width := len(c.layers), int(c.layers[0].norm.scale.dims[0])
	taps := int(c.layers[0].local.left)
	for i, names := range [][3]string{
		{tensorChannelCache, tensorTimeCache, tensorCacheLength}, {outputChannelCache, outputTimeCache, outputCacheLength},
	} {
		field := protowire.Number(graphInput)
		if i == 1 {
			field = graphOutput
			g = appendValue(g, graphOutput, outputEncodedLength, typeInt64, 1)
		}
		g = appendValue(g, field, names[0], typeFloat, 1, layers, "cached", 2*width)
		g = appendValue(g, field, names[1], typeFloat, 1, layers, width, taps)
		g = appendValue(g, field, names[2], typeInt64, 1)
	}
	g = appendInput(g, tensorContext, c.caches.left, c.caches.right)
	return appendInput(g, tensorDropped, c.caches.dropped)
}

// appendInput declares an input of whole numbers with their default.
func appendInput(g []byte, name string, usual ...int64) []byte {
	var raw []byte
	for _, v := range usual {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	t := appendMessage(tensorHeader(name, typeInt64, int64(len(usual))), tensorRaw, raw)
	return appendValue(appendMessage(g, graphInitializer, t), graphInput, name, typeInt64, len(usual))
}
