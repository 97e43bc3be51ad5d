package stt

import (
	"context"
	"errors"
	"slices"
	"time"

	"munadi/engine"
	"munadi/engine/audio"
)

// separate is the choice of channels that decodes each by itself.
const separate = "separate"

// ChannelsOf are the channels to decode, one after the other, for a form's choice. An unknown choice is "mix".
func ChannelsOf(choice string) []audio.ChannelChoice {
	switch choice {
	case "left":
		return []audio.ChannelChoice{audio.LeftChannel}
	case "right":
		return []audio.ChannelChoice{audio.RightChannel}
	case separate:
		return []audio.ChannelChoice{audio.LeftChannel, audio.RightChannel}
	}
	return []audio.ChannelChoice{audio.MixChannels}
}

// channelSegment is a segment of a transcript; channel is nil unless channels are decoded separately.
type channelSegment struct {
	engine.Segment
	channel *int
}

// hearChannel decodes one channel of a recording. pass of passes is which reading of the recording it is, for the
// progress.
func (s *TranscriptionService) hearChannel(
	ctx context.Context, w transcriptionWork, channel audio.ChannelChoice, pass, passes int, out segmentSink,
) (duration float64, err error) {
	answers, err := w.order.answers()
	if err != nil {
		return 0, err
	}
	src, err := s.Open(ctx, w.sound, w.longest, channel)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	result, err := s.Recognizer.Transcribe(ctx, src, engine.TranscribeOptions{
		Phrases:   slices.Concat(w.order.Phrases, w.turn.BiasPhrases(), w.turn.SwitchPhrases()),
		Grammar:   answers,
		Priority:  w.priority,
		OnSegment: out.segment,
		OnProgress: func(decoded, heard float64) {
			out.passed(decoded)
			if w.progress != nil && heard > 0 {
				w.progress(decoded/heard, pass, passes)
			}
		},
	})
	if err != nil {
		return 0, err
	}
	s.Metrics.CountDecoded(w.priority, result.Duration, result.Timings)
	return result.Duration, nil
}

// hearSeparately decodes the left channel, then the right one, and adds their segments in the order of time. A
// recording of one channel has the left one alone.
func (s *TranscriptionService) hearSeparately(ctx context.Context, w transcriptionWork, t *transcript) error {
	var left segmentCollector
	duration, err := s.hearChannel(ctx, w, audio.LeftChannel, 0, 2, &left)
	if err != nil {
		return err
	}
	t.duration = duration
	merge := &channelMerger{left: left, add: func(channel int, seg engine.Segment) error { return t.addSegment(seg, &channel, w) }}
	for {
		_, err = s.hearChannel(ctx, w, audio.RightChannel, 1, 2, merge)
		var busy *engine.ErrBusy
		if !errors.As(err, &busy) {
			break
		}
		s.waitForWork(ctx, max(busy.RetryAfter, time.Second), nil) // half of the work is done
	}
	var bad *audio.DecodeError
	if err != nil && (!errors.As(err, &bad) || bad.Code != audio.CodeChannel) {
		return err
	}
	return merge.flushLeft()
}

// segmentSink takes the segments of one channel.
type segmentSink interface {
	segment(seg engine.Segment) error
	passed(decoded float64) // no segment to come begins before that second
}

// segmentCollector keeps them.
type segmentCollector []engine.Segment

func (c *segmentCollector) segment(seg engine.Segment) error { *c = append(*c, seg); return nil }
func (*segmentCollector) passed(float64)                     {}

// channelMerger adds the right channel's segments, as they come, and the left's, which are all there, in the order of their
// starts.
type channelMerger struct {
	left []engine.Segment
	add  func(channel int, seg engine.Segment) error
	err  error // of an addition that passed could not return
}

func (m *channelMerger) segment(seg engine.Segment) error {
	m.passed(seg.Start)
	if m.err != nil {
		return m.err
	}
	return m.add(1, seg)
}

func (m *channelMerger) passed(decoded float64) {
	for m.err == nil && len(m.left) > 0 && m.left[0].Start <= decoded {
		m.err = m.add(0, m.left[0])
		m.left = m.left[1:]
	}
}

// flushLeft adds what is left of the left channel.
func (m *channelMerger) flushLeft() error {
	for m.err == nil && len(m.left) > 0 {
		m.passed(m.left[0].Start)
	}
	return m.err
}

// segmentAdder adds the segments of the only channel to a transcript.
type segmentAdder struct {
	add func(seg engine.Segment) error
}

func (a segmentAdder) segment(seg engine.Segment) error { return a.add(seg) }
func (segmentAdder) passed(float64)                     {}
