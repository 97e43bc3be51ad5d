package model

import (
	"context"
	"errors"
	"slices"

	"munadi/engine/ort"
)

// encoderCaches is the state of a cache-aware encoder between runs. It is immutable: the next run returns a new one.
type encoderCaches struct {
	channel, time, length ort.DenseTensor
}

// newCaches returns the caches in a run's outputs.
func newCaches(out []ort.DenseTensor) *encoderCaches { return &encoderCaches{out[0], out[1], out[2]} }

// emptyCaches returns the caches before the first run, with attention over frames cached frames.
func (m *SpeechModel) emptyCaches(frames int) *encoderCaches {
	s := m.Streaming
	return &encoderCaches{
		channel: ort.DenseTensor{
			Shape: []int64{1, int64(s.Layers), int64(frames), int64(s.Width)}, F32: make([]float32, s.Layers*frames*s.Width),
		},
		time: ort.DenseTensor{
			Shape: []int64{1, int64(s.Layers), int64(s.Channels), int64(s.Taps)},
			F32:   make([]float32, s.Layers*s.Channels*s.Taps),
		},
		length: ort.DenseTensor{Shape: []int64{1}, I64: []int64{0}},
	}
}

// cacheInputs returns a run's inputs after the features and their length.
func (m *SpeechModel) cacheInputs(s encoderStep) []ort.DenseTensor {
	if s.caches == nil {
		s.caches, s.span = m.emptyCaches(0), m.Streaming.Contexts[0]
	}
	in := []ort.DenseTensor{s.caches.channel, s.caches.time, s.caches.length}
	if m.stepwise {
		return in
	}
	return append(in,
		ort.DenseTensor{Shape: []int64{2}, I64: []int64{int64(s.span.Left), int64(s.span.Right)}},
		ort.DenseTensor{Shape: []int64{1}, I64: []int64{int64(s.dropped)}})
}

// EncoderStream encodes an utterance incrementally: each run takes new feature frames and the caches of earlier ones.
// Together the runs equal one run over the whole utterance with the same attention context. A NeMo export with caches
// starts with frames of silence instead, as NeMo runs it. Not safe for concurrent use.
type EncoderStream struct {
	model *SpeechModel
	span  AttentionSpan
	// Language is the one that a prompted model is asked for; empty: the usual one.
	Language string
	caches   *encoderCaches
	mel      []float32 // [·, F], from frame base on
	base     int
	frames   int // feature frames so far
	done     int // encoder frames so far
}

// ErrNotStreaming is the error of a model that encodes whole utterances only.
var ErrNotStreaming = errors.New("this model's encoder has no caches: it encodes whole utterances only")

// NewStream starts an utterance with one of the model's contexts, see [SpeechModel.SpanFor].
func (m *SpeechModel) NewStream(span AttentionSpan) (*EncoderStream, error) {
	if m.Streaming == nil || !slices.Contains(m.Streaming.Contexts, span) {
		return nil, ErrNotStreaming
	}
	s := &EncoderStream{model: m, span: span, caches: m.emptyCaches(span.cachedFrames(m.Streaming.Chunked))}
	if m.stepwise {
		s.mel, s.base = make([]float32, m.preEncoded()*m.Features), -m.preEncoded()
	}
	return s, nil
}

// preEncoded returns the number of feature frames that every run of NeMo's export repeats (pre_encode_cache_size).
func (m *SpeechModel) preEncoded() int { return m.Subsampling + 1 }

// PushMel adds feature frames, [n, F].
func (s *EncoderStream) PushMel(mel []float32) {
	s.mel = append(s.mel, mel...)
	s.frames += len(mel) / s.model.Features
}

// readyFrames returns the number of encoder frames in whole chunks that can be encoded.
func (s *EncoderStream) readyFrames() int {
	factor, chunk := s.model.Subsampling, s.span.chunkFrames(s.model.Streaming.Chunked)
	ready := s.frames / factor
	if s.model.Causal && !s.model.stepwise && s.frames > 0 {
		ready = (s.frames-1)/factor + 1
	}
	return ready / chunk * chunk
}

// IsReady reports whether a whole chunk can be encoded.
func (s *EncoderStream) IsReady() bool { return s.readyFrames() > s.done }

// EncodeReady encodes all whole chunks.
func (s *EncoderStream) EncodeReady(ctx context.Context) (e EncodedSpeech, err error) {
	for s.IsReady() {
		to := s.readyFrames()
		if s.model.stepwise {
			to = s.done + s.span.chunkFrames(true)
		}
		more, next, err := s.encodeUntil(ctx, to)
		if err != nil {
			return e, err
		}
		s.caches, s.done = next, to
		s.dropMel()
		e.Append(more)
	}
	return e, nil
}

// EncodeEnd is EncodeRest with the feature frames [n, F] that follow only if the utterance ends here.
func (s *EncoderStream) EncodeEnd(ctx context.Context, last []float32) (EncodedSpeech, error) {
	end := *s
	end.mel = slices.Concat(s.mel, last)
	end.frames += len(last) / s.model.Features
	e, err := end.EncodeReady(ctx)
	if err != nil {
		return e, err
	}
	rest, err := end.EncodeRest(ctx)
	e.Append(rest)
	return e, err
}

// EncodeRest encodes the remaining frames if the utterance ends here. The stream is unchanged and may continue.
func (s *EncoderStream) EncodeRest(ctx context.Context) (EncodedSpeech, error) {
	left := s.model.frameCount(s.frames) - s.done
	if s.model.stepwise {
		left = s.frames - s.done*s.model.Subsampling
	}
	if left <= 0 {
		return EncodedSpeech{}, nil
	}
	e, _, err := s.encodeUntil(ctx, -1)
	return e, err
}

// encodeUntil runs the encoder from the first frame not yet encoded to encoder frame to (exclusive); -1: to the end of
// the utterance.
func (s *EncoderStream) encodeUntil(ctx context.Context, to int) (EncodedSpeech, *encoderCaches, error) {
	from, dropped := s.firstFrame()
	until := s.frames
	if to >= 0 {
		until = s.lastFrame(to)
	}
	bands, n := s.model.Features, until-from
	return s.model.runEncoder(ctx, encoderStep{
		mel:    transposeMatrix(s.mel[(from-s.base)*bands:(until-s.base)*bands], n, bands),
		frames: n, valid: n, caches: s.caches, span: s.span, dropped: dropped, language: s.Language,
	})
}

// firstFrame returns the feature frame at which the next run starts and the number of encoder frames that it repeats.
func (s *EncoderStream) firstFrame() (from, dropped int) {
	if s.model.stepwise {
		return s.done*s.model.Subsampling - s.model.preEncoded(), 0
	}
	start := max(0, s.done-repeatedFrames(s.model.Causal))
	return start * s.model.Subsampling, s.done - start
}

// lastFrame returns the number of feature frames, from the utterance's start, of which the first to encoder frames are
// computed.
func (s *EncoderStream) lastFrame(to int) int {
	if s.model.Causal && !s.model.stepwise {
		return (to-1)*s.model.Subsampling + 1
	}
	return to * s.model.Subsampling
}

// dropMel drops feature frames that no later run needs.
func (s *EncoderStream) dropMel() {
	from, _ := s.firstFrame()
	s.mel = slices.Delete(s.mel, 0, (from-s.base)*s.model.Features)
	s.base = from
}

// encodeInSteps encodes a whole utterance [F, n] with NeMo's export with caches.
func (m *SpeechModel) encodeInSteps(ctx context.Context, mel []float32, n int) (EncodedSpeech, error) {
	s, err := m.NewStream(m.Streaming.Contexts[0])
	if err != nil {
		return EncodedSpeech{}, err
	}
	s.PushMel(transposeMatrix(mel, m.Features, n))
	e, err := s.EncodeReady(ctx)
	if err != nil {
		return e, err
	}
	rest, err := s.EncodeRest(ctx)
	e.Append(rest)
	return e, err
}

// Split divides the frames after the first n into independent copies.
func (e EncodedSpeech) Split(n int) (head, tail EncodedSpeech) {
	joint, labels := n*e.Joint.J, n*e.CTC.Labels
	head, tail = e, e
	head.T, tail.T = n, e.T-n
	if e.Joint.J > 0 {
		head.Joint.T, tail.Joint.T = n, e.Joint.T-n
		head.Joint.Data, tail.Joint.Data = slices.Clone(e.Joint.Data[:joint]), slices.Clone(e.Joint.Data[joint:])
	}
	if e.CTC.Labels > 0 {
		head.CTC.T, tail.CTC.T = n, e.CTC.T-n
		head.CTC.Data, tail.CTC.Data = slices.Clone(e.CTC.Data[:labels]), slices.Clone(e.CTC.Data[labels:])
	}
	return head, tail
}

// Append appends the frames of more.
func (e *EncodedSpeech) Append(more EncodedSpeech) {
	if e.T == 0 {
		*e = more
		return
	}
	e.Joint.Data, e.Joint.T = append(e.Joint.Data, more.Joint.Data...), e.Joint.T+more.Joint.T
	e.CTC.Data, e.CTC.T = append(e.CTC.Data, more.CTC.Data...), e.CTC.T+more.CTC.T
	e.T += more.T
}
