package stt

import (
	"context"
	"strings"

	"munadi/appliance/textform"
	"munadi/engine"
	"munadi/engine/arabic"
	"munadi/store/restaurant"
)

// maxHeld is the largest number of segments that are held back, while numbers go on from one to the next.
const maxHeld = 20

// orderOf returns the order of a form.
func (s *TranscriptionService) orderOf(
	ctx context.Context, orgID string, f *transcriptionForm, m restaurant.SessionMode,
) (transcriptionOrder, error) {
	o := f.newOrder(m)
	if o.Form == "" || s.Country == nil {
		return o, nil
	}
	var err error
	o.Country, err = s.Country(ctx, orgID)
	return o, err
}

// addSegment appends a segment of a channel. If numbers change, one that ends in a number is held back until its
// channel's next one, since people pause between the groups of a number.
func (t *clientTranscript) addSegment(seg engine.Segment, channel *int, w transcriptionWork) error {
	appendSpaced(&t.heard, seg.Text)
	t.held = append(t.held, channelSegment{seg, channel})
	if w.order.Changes() && len(t.held) < maxHeld && t.mayNumberGoOn() {
		return nil
	}
	return t.flushHeld(w)
}

// mayNumberGoOn reports whether the last held segment of a channel ends in a number.
func (t *clientTranscript) mayNumberGoOn() bool {
	for _, segments := range t.heldByChannel() {
		last := t.held[segments[len(segments)-1]]
		if arabic.EndsInNumber(strings.Fields(last.Text)) {
			return true
		}
	}
	return false
}

// heldByChannel returns the indexes of the held segments by channel; -1 is the only one.
func (t *clientTranscript) heldByChannel() map[int][]int {
	out := map[int][]int{}
	for i, seg := range t.held {
		channel := -1
		if seg.channel != nil {
			channel = *seg.channel
		}
		out[channel] = append(out[channel], i)
	}
	return out
}

// flushHeld formats the held segments, each channel's together, and appends them in order.
func (t *clientTranscript) flushHeld(w transcriptionWork) error {
	for _, indexes := range t.heldByChannel() {
		segments := make([]engine.Segment, len(indexes))
		for i, at := range indexes {
			segments[i] = t.held[at].Segment
		}
		for i, seg := range w.order.FormatSegments(segments) {
			t.held[indexes[i]].Segment = seg
		}
	}
	held := t.held
	t.held = nil
	for _, seg := range held {
		if seg.Text == "" && w.order.Form == textform.Written {
			continue // all of it belongs to a number that began before
		}
		if err := t.appendFormatted(seg.Segment, seg.channel, w); err != nil {
			return err
		}
	}
	return nil
}
