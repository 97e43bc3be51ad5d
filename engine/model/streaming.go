package model

import (
	"fmt"
	"slices"
	"time"
)

// StreamingConfig describes how a cache-aware encoder is run: its graph's sizes, and the supported attention contexts.
type StreamingConfig struct {
	Chunked  bool            `json:"chunked"`  // chunked_limited attention; otherwise relative to each frame
	Contexts []AttentionSpan `json:"contexts"` // the first is the usual one
	Layers   int             `json:"layers"`
	Width    int             `json:"channel_width"` // numbers per frame and layer in cache_last_channel
	Channels int             `json:"time_channels"` // D in cache_last_time, [L, D, Taps]
	Taps     int             `json:"time_frames"`
}

// AttentionSpan is an attention context in encoder frames (NeMo's att_context_size).
type AttentionSpan struct {
	Left  int `json:"left"`
	Right int `json:"right"`
}

const (
	// maxCachedFrames is the longest context that is cached, in encoder frames: 80 s.
	maxCachedFrames = 1000
	maxSpans        = 32
	maxCacheNumbers = 64 << 20 // of one stream's caches
)

// chunkFrames returns the number of encoder frames in a chunk: a run encodes whole chunks, except at the end.
func (a AttentionSpan) chunkFrames(chunked bool) int {
	if chunked {
		return a.Right + 1
	}
	return 1
}

// cachedFrames returns the number of frames that attention caches: whole chunks.
func (a AttentionSpan) cachedFrames(chunked bool) int {
	chunk := a.chunkFrames(chunked)
	return a.Left / chunk * chunk
}

// repeatedFrames returns the number of encoder frames that the subsampling computes again in each run, since its
// convolutions need earlier feature frames: NeMo's drop_extra_pre_encoded.
func repeatedFrames(causal bool) int {
	if causal {
		return 2
	}
	return 1
}

func (s *StreamingConfig) checkBounds() error {
	if s == nil {
		return nil
	}
	if len(s.Contexts) < 1 || len(s.Contexts) > maxSpans {
		return fmt.Errorf("munadi.json: streaming has %d contexts, want 1 to %d", len(s.Contexts), maxSpans)
	}
	for _, c := range s.Contexts {
		if c.Left < 0 || c.Right < 0 || c.Left+c.Right > maxCachedFrames {
			return fmt.Errorf("munadi.json: streaming has the context [%d, %d], want two numbers whose sum is 0 to %d",
				c.Left, c.Right, maxCachedFrames)
		}
		attention := s.Layers * s.Width * c.Left
		if min(s.Layers, s.Width, s.Channels) < 1 || s.Taps < 0 || max(s.Layers, s.Width, s.Channels, s.Taps) > 1<<16 ||
			attention > maxCacheNumbers || s.Layers*s.Channels*s.Taps > maxCacheNumbers {
			return fmt.Errorf("munadi.json: streaming has cache sizes out of range: %d layers, %d and %d numbers, %d frames",
				s.Layers, s.Width, s.Channels, s.Taps)
		}
	}
	return nil
}

// Latencies returns the latencies that a cache-aware model offers, by attention context: the duration of a chunk, which
// must be complete before it is encoded. The first is the usual one; none if the model encodes whole utterances only.
func (m *SpeechModel) Latencies() []time.Duration {
	if m.Streaming == nil {
		return nil
	}
	out := make([]time.Duration, len(m.Streaming.Contexts))
	for i, c := range m.Streaming.Contexts {
		out[i] = m.frameDuration() * time.Duration(c.chunkFrames(m.Streaming.Chunked))
	}
	return out
}

// frameDuration returns the duration of an encoder frame.
func (m *SpeechModel) frameDuration() time.Duration {
	return time.Duration(m.Subsampling) * 10 * time.Millisecond
}

// SpanFor returns the context with the longest latency up to wanted, or the shortest if all are longer; the usual one
// for 0.
func (m *SpeechModel) SpanFor(wanted time.Duration) (span AttentionSpan, latency time.Duration) {
	all := m.Latencies()
	best := 0
	if wanted > 0 {
		best = slices.Index(all, slices.Min(all))
	}
	for i, d := range all {
		if d <= wanted && d > all[best] {
			best = i
		}
	}
	return m.Streaming.Contexts[best], all[best]
}
