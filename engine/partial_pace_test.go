package engine

import (
	"testing"
	"time"
)

// Partial texts of all streams together use half of the encoder: the interval grows with their number and cost.
func TestPartialPaceSharesTheEncoder(t *testing.T) {
	t.Parallel()
	now := time.Now()
	p := newPartialPacer(2)
	streams := make([]LiveStream, 8)
	for i := range streams {
		p.noteReader(&streams[i], now)
	}
	if got := p.intervalFor(50 * time.Millisecond); got != 400*time.Millisecond {
		t.Errorf("eight streams on two runs: every %v", got)
	}
	p.forgetReader(&streams[0])
	if got := p.intervalFor(50 * time.Millisecond); got != 350*time.Millisecond {
		t.Errorf("one turn has ended: every %v", got)
	}
	p.noteReader(&streams[1], now.Add(3*readerTimeout))
	if got := p.intervalFor(50 * time.Millisecond); got != 50*time.Millisecond {
		t.Errorf("the others push nothing any more: every %v", got)
	}
}

// A stream does not wait for the partial texts of others: it continues, and its final text is emitted.
func TestPartialTextDoesNotWait(t *testing.T) {
	e := openTest(t)
	for range e.pacer.runs {
		if !e.pacer.tryBegin() {
			t.Fatal("the encoder is busy already")
		}
	}
	speech := conversationClip(t, 1)
	speech = speech[sampleRate : len(speech)-sampleRate]
	s := openStream(t, e, StreamOptions{Partial: 128 * time.Millisecond})
	events := pushLive(t, s, append(speech, make([]float32, sampleRate)...))
	early := 0
	for _, p := range onlyText(events, Partial) {
		if p.At < p.End+0.3 {
			early++
		}
	}
	if finals := onlyText(events, Final); early > 0 || len(finals) == 0 || finals[0].Text == "" {
		t.Errorf("%d partial texts while the encoder was busy, final ones %+v", early, finals)
	}
	if len(e.pacer.readers) > 0 {
		t.Errorf("%d ended turns are counted", len(e.pacer.readers))
	}
	for range e.pacer.runs {
		e.pacer.endPartial()
	}
	if partials := onlyText(pushLive(t, s, append(speech, make([]float32, sampleRate)...)), Partial); len(partials) < 3 {
		t.Errorf("%d partial texts on a free encoder", len(partials))
	}
}
