package stt

import (
	"context"
	"errors"
	"slices"
	"time"

	"munadi/appliance/recognizer"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/engine/crosstalk"
)

// separate is the channels option that decodes each channel separately.
const separate = "separate"

// ChannelsOf returns the channels to decode, in order, for a form's option. An unknown option means "mix".
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

// ChannelOpener opens a channel of a recording.
type ChannelOpener func(audio.ChannelChoice) (recognizer.OpenedSound, error)

// ChannelEchoes says of each channel where it holds nothing but the echo of the other.
type ChannelEchoes map[audio.ChannelChoice]crosstalk.EchoWindows

// FindEchoes finds the echoes in a recording; none where there is one channel only.
func FindEchoes(open ChannelOpener) (ChannelEchoes, error) {
	var tracks [2]*crosstalk.Track
	for i, channel := range ChannelsOf(separate) {
		sound, err := open(channel)
		if audio.LacksChannel(err) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		tracks[i], err = crosstalk.RecordTrack(sound)
		if err = errors.Join(err, sound.Close()); err != nil {
			return nil, err
		}
	}
	return ChannelEchoes{
		audio.LeftChannel:  crosstalk.FindEcho(tracks[0], tracks[1]),
		audio.RightChannel: crosstalk.FindEcho(tracks[1], tracks[0]),
	}, nil
}

// channelSegment is a segment of a transcript; channel is nil unless channels are decoded separately.
type channelSegment struct {
	engine.Segment
	channel *int
}

// transcribeChannel decodes one channel of a recording. pass of passes numbers the passes over the recording, for the
// progress.
func (s *TranscriptionService) transcribeChannel(
	ctx context.Context, w transcriptionWork, channel audio.ChannelChoice, pass, passes int, out segmentSink,
) (duration float64, err error) {
	answers, err := w.order.parseGrammar()
	if err != nil {
		return 0, err
	}
	src, err := s.Open(ctx, w.sound, w.longest, channel)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	result, err := s.Recognizer.Transcribe(ctx, src, engine.TranscribeOptions{
		Phrases:    slices.Concat(w.order.Phrases, w.turn.BiasPhrases(), w.turn.SwitchPhrases()),
		Grammar:    answers,
		Language:   w.order.Language,
		Priority:   w.priority,
		OneChannel: channel != audio.MixChannels,
		Echo:       w.echoes[channel],
		OnSegment:  out.addSegment,
		OnProgress: func(decoded, heard float64) {
			out.reportProgress(decoded)
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

// transcribeSeparately decodes the left channel, then the right one, and merges their segments by time. A mono
// recording has a left channel only.
func (s *TranscriptionService) transcribeSeparately(
	ctx context.Context, w transcriptionWork, t *clientTranscript,
) error {
	var left segmentCollector
	duration, err := s.transcribeChannel(ctx, w, audio.LeftChannel, 0, 2, &left)
	if err != nil {
		return err
	}
	t.duration = duration
	merge := &channelMerger{
		left: left, add: func(channel int, seg engine.Segment) error { return t.addSegment(seg, &channel, w) },
	}
	for {
		_, err = s.transcribeChannel(ctx, w, audio.RightChannel, 1, 2, merge)
		var busy *engine.ErrBusy
		if !errors.As(err, &busy) {
			break
		}
		s.waitForWork(ctx, max(busy.RetryAfter, time.Second), nil) // half of the queued work is done by then
	}
	if err != nil && !audio.LacksChannel(err) {
		return err
	}
	return merge.flushLeft()
}

// segmentSink receives the segments of one channel.
type segmentSink interface {
	addSegment(seg engine.Segment) error
	reportProgress(decoded float64) // no later segment begins before that second
}

// segmentCollector collects segments.
type segmentCollector []engine.Segment

func (c *segmentCollector) addSegment(seg engine.Segment) error { *c = append(*c, seg); return nil }
func (*segmentCollector) reportProgress(float64)                {}

// channelMerger merges the right channel's segments, as they arrive, with the left's, which are complete, by start
// time.
type channelMerger struct {
	left []engine.Segment
	add  func(channel int, seg engine.Segment) error
	err  error // of an addition that passed could not return
}

func (m *channelMerger) addSegment(seg engine.Segment) error {
	m.reportProgress(seg.Start)
	if m.err != nil {
		return m.err
	}
	return m.add(1, seg)
}

func (m *channelMerger) reportProgress(decoded float64) {
	for m.err == nil && len(m.left) > 0 && m.left[0].Start <= decoded {
		m.err = m.add(0, m.left[0])
		m.left = m.left[1:]
	}
}

// flushLeft adds the remaining segments of the left channel.
func (m *channelMerger) flushLeft() error {
	for m.err == nil && len(m.left) > 0 {
		m.reportProgress(m.left[0].Start)
	}
	return m.err
}

// segmentAdder adds the segments of a single channel to a transcript.
type segmentAdder struct {
	add func(seg engine.Segment) error
}

func (a segmentAdder) addSegment(seg engine.Segment) error { return a.add(seg) }
func (segmentAdder) reportProgress(float64)                {}
