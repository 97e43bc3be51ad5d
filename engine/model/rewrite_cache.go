package model

import (
	"math"
)

// Names of a cache-aware encoder's inputs and outputs, as NeMo exports them with cache_support. The last two inputs are
// this package's: arguments of NeMo's cache_aware_stream_step and setup_streaming_params that its export fixes.
const (
	tensorChannelCache  = "cache_last_channel"     // [1, L, C, ·]: attention's cache of the last C frames
	tensorTimeCache     = "cache_last_time"        // [1, L, D, K-1]: convolutions' cache
	tensorCacheLength   = "cache_last_channel_len" // [1]: how many of the C frames are valid, the last ones
	tensorContext       = "att_context_size"       // [2]: left and right context in frames
	tensorDropped       = "drop_extra_pre_encoded" // [1]: encoder frames of the repeated feature frames
	outputChannelCache  = "cache_last_channel_next"
	outputTimeCache     = "cache_last_time_next"
	outputCacheLength   = "cache_last_channel_next_len"
	outputEncodedLength = "encoded_lengths" // [1]
)

// cacheForm is the cache-aware form of an encoder (Noroozi et al. 2024, arXiv:2312.17279): a run continues the previous
// one from the caches of attention and convolutions. One graph serves whole utterances, with an empty cache, and every
// context that the model was trained with.
//
// Attention caches projected keys and values, [C, 2D] a layer, where NeMo caches the [C, D] before projection: each
// frame is projected once instead of in every run that still attends to it.
type cacheForm struct {
	chunked       bool
	left, right   int64 // of the usual context, in frames
	behind, ahead int64 // the longest distances that any context reaches, in frames
	dropped       int64 // encoder frames of the feature frames that the next run repeats
}

// placedCaches names the caches in the graph.
type placedCaches struct {
	form          *cacheForm
	channel, time string   // [L, C, 2D], [L, D, K-1]
	size          string   // [1]: C
	nextChannel   []string // of each layer, [1, 1, C, 2D]
	nextTime      []string // of each layer, [1, 1, D, K-1]
}

// emitCaches reads the cache inputs; x is the subsampling's output. It returns the new frames of x.
func (e *graphEmitter) emitCaches(form *cacheForm, x string) (fresh string, past *placedCaches) {
	past = &placedCaches{
		form:    form,
		channel: e.emitOp("Squeeze", []string{tensorChannelCache, e.emitIntegers(0)}),
		time:    e.emitOp("Squeeze", []string{tensorTimeCache, e.emitIntegers(0)}),
		size:    e.emitOp("Shape", []string{tensorChannelCache}, intAttribute("start", 2), intAttribute("end", 3)),
	}
	return e.emitSlice(x, tensorDropped, e.emitIntegers(math.MaxInt64), 0, 1), past
}

// emitLayerCache returns one layer's part of a cache.
func (e *graphEmitter) emitLayerCache(cache string, layer int) string {
	return e.emitOp("Gather", []string{cache, e.emitScalar(int64(layer))}, intAttribute("axis", 0))
}

// emitPastValues prepends the cached keys and values to those of new frames, [T', D] each, and caches the last C.
func (e *graphEmitter) emitPastValues(past *placedCaches, frames, key, value string) (keys, values string) {
	layer := len(past.nextChannel)
	both := e.emitOp("Concat", []string{key, value}, intAttribute("axis", 1))
	both = e.emitOp("Concat", []string{e.emitLayerCache(past.channel, layer), both}, intAttribute("axis", 0))
	kept := e.emitSlice(both, frames, e.emitIntegers(math.MaxInt64), 0, 1)
	past.nextChannel = append(past.nextChannel, e.emitOp("Unsqueeze", []string{kept, e.emitIntegers(0, 1)}))
	halves := []string{e.newName(), e.newName()}
	node := marshalNode("Split", []string{both}, halves, intAttribute("axis", 1))
	e.fields = appendMessage(e.fields, graphNode, node)
	return halves[0], halves[1]
}

// emitPastFrames prepends the cached frames to a depthwise convolution's input [1, D, T'], and caches the last K-1.
func (e *graphEmitter) emitPastFrames(past *placedCaches, frames, x string) string {
	layer := len(past.nextTime)
	before := e.emitOp("Unsqueeze", []string{e.emitLayerCache(past.time, layer), e.emitIntegers(0)})
	x = e.emitOp("Concat", []string{before, x}, intAttribute("axis", 2))
	kept := e.emitSlice(x, frames, e.emitIntegers(math.MaxInt64), 2, 1)
	past.nextTime = append(past.nextTime, e.emitOp("Unsqueeze", []string{kept, e.emitIntegers(0)}))
	return x
}

// emitCacheOutputs emits the graph's cache outputs.
func (e *graphEmitter) emitCacheOutputs(past *placedCaches, frames string) {
	concat := func(parts []string, name string) {
		e.fields = appendNode(e.fields, "Concat", parts, name, intAttribute("axis", 1))
	}
	concat(past.nextChannel, outputChannelCache)
	concat(past.nextTime, outputTimeCache)
	e.fields = appendNode(e.fields, "Identity", []string{frames}, outputEncodedLength)
	length := e.emitOp("Add", []string{tensorCacheLength, frames})
	e.fields = appendNode(e.fields, "Min", []string{length, past.size}, outputCacheLength)
}

// emitReach returns the attention mask [T', C+T']: 0 where a new frame may attend to a cached or new one, masked
// elsewhere.
func (e *graphEmitter) emitReach(past *placedCaches, total string) string {
	count := e.emitOp("Squeeze", []string{total, e.emitIntegers(0)})
	place := e.emitOp("Range", []string{e.emitScalar(0), count, e.emitScalar(1)})
	left := e.emitSlice(tensorContext, e.emitIntegers(0), e.emitIntegers(1), 0, 1)
	right := e.emitSlice(tensorContext, e.emitIntegers(1), e.emitIntegers(2), 0, 1)
	index, ahead := place, e.emitOp("Neg", []string{right})
	if past.form.chunked {
		chunk := e.emitOp("Add", []string{right, e.emitIntegers(1)})
		index, left = e.emitOp("Div", []string{place, chunk}), e.emitOp("Div", []string{left, chunk})
		ahead = e.emitIntegers(0)
	}
	rows := e.emitSlice(index, past.size, e.emitIntegers(math.MaxInt64), 0, 1)
	behind := e.emitOp("Sub", []string{
		e.emitOp("Unsqueeze", []string{rows, e.emitIntegers(1)}), e.emitOp("Unsqueeze", []string{index, e.emitIntegers(0)}),
	})
	within := e.emitOp("And", []string{
		e.emitOp("LessOrEqual", []string{behind, left}), e.emitOp("GreaterOrEqual", []string{behind, ahead}),
	})
	valid := e.emitOp("GreaterOrEqual", []string{place, e.emitOp("Sub", []string{past.size, tensorCacheLength})})
	within = e.emitOp("And", []string{within, valid})
	return e.emitOp("Where", []string{within, e.emitFloats([]float32{0}), e.emitFloats([]float32{masked})})
}

// emitNearby places a table [1, R, D] of the distances from behind down to -ahead. total+T' distances are looked up;
// those outside the table are clipped to it, and masked in attention.
func (e *graphEmitter) emitNearby(p positionTable, form *cacheForm, frames, total string) placedTable {
	count := e.emitOp("Squeeze", []string{e.emitOp("Add", []string{total, frames}), e.emitIntegers(0)})
	place := e.emitOp("Range", []string{e.emitScalar(0), count, e.emitScalar(1)})
	first := e.emitOp("Sub", []string{e.emitIntegers(form.behind), total})
	rows := p.table.dims[1]
	nearest := e.emitOp("Clip", []string{
		e.emitOp("Add", []string{place, first}), e.emitScalar(0), e.emitScalar(rows - 1),
	})
	table := e.emitWeightPart(p.table, 0, rows, p.table.dims[2])
	return placedTable{table: table, frames: frames, total: total, nearest: nearest}
}

// attentionContext limits the frames that a frame attends to; the zero value is no limit.
type attentionContext struct {
	limited     bool
	chunk       int64 // frames of a chunk; 1: the context is relative to each frame
	left, right int64 // chunks before and after; -1: all
}

// masked is added to the score of a frame outside the attention context. Softmax turns it into 0.
const masked = -10000

// emitPenalty returns the attention mask [T, T]: 0 where frame i may attend to frame j, masked elsewhere. Empty if
// there is no limit.
func (e *graphEmitter) emitPenalty(c attentionContext, frames string) string {
	if !c.limited || c.left < 0 && c.right < 0 {
		return ""
	}
	count := e.emitOp("Squeeze", []string{frames, e.emitIntegers(0)})
	index := e.emitOp("Range", []string{e.emitScalar(0), count, e.emitScalar(1)})
	if c.chunk > 1 {
		index = e.emitOp("Div", []string{index, e.emitIntegers(c.chunk)})
	}
	rows := e.emitOp("Unsqueeze", []string{index, e.emitIntegers(1)})
	behind := e.emitOp("Sub", []string{rows, e.emitOp("Unsqueeze", []string{index, e.emitIntegers(0)})})
	var within string
	if c.left >= 0 {
		within = e.emitOp("LessOrEqual", []string{behind, e.emitIntegers(c.left)})
	}
	if c.right >= 0 {
		ahead := e.emitOp("GreaterOrEqual", []string{behind, e.emitIntegers(-c.right)})
		if within != "" {
			ahead = e.emitOp("And", []string{within, ahead})
		}
		within = ahead
	}
	return e.emitOp("Where", []string{within, e.emitFloats([]float32{0}), e.emitFloats([]float32{masked})})
}
