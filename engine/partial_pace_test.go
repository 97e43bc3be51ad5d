package engine

import (
	"testing"
	"time"

	"munadi/engine/decode"
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
	check := func(state string, took time.Duration, waiting int, want time.Duration) {
		t.Helper()
		if got := p.intervalFor(took, waiting); got != want {
			t.Errorf("%s: every %v, want %v", state, got, want)
		}
	}
	check("eight streams on two runs", 100*time.Millisecond, 0, 800*time.Millisecond)
	check("other work waits", 100*time.Millisecond, 1, 1600*time.Millisecond)
	check("much other work waits", 100*time.Millisecond, 100, 3200*time.Millisecond)
	check("cheap texts of eight streams", 10*time.Millisecond, 0, 100*time.Millisecond)
	p.forgetReader(&streams[0])
	check("one turn has ended", 100*time.Millisecond, 0, 700*time.Millisecond)
	p.noteReader(&streams[1], now.Add(3*readerTimeout))
	check("the others push nothing any more", 100*time.Millisecond, 0, slowestDraft)
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

// Partial texts are greedy, whatever a final text needs.
func TestDraftPlanIsGreedy(t *testing.T) {
	t.Parallel()
	final := decodePlan{
		mode: Hybrid, strategy: malsdBatch, ctcBeam: 4, spot: &phraseSpotting{}, answers: &decode.TokenGrammar{},
		hybrid: decode.HybridOptions{CTCWeight: 0.3},
	}
	draft := final.draftPlan()
	if !draft.isPlainGreedy() || draft.hybrid.CTCWeight != 0 {
		t.Errorf("the plan of a partial text is %+v", draft)
	}
	if final.isPlainGreedy() || final.strategy != malsdBatch {
		t.Errorf("the plan of the final text became %+v", final)
	}
}

// Silence brings no partial text, except those of the last word and of the complete turn. On a busy machine the interval
// is longer than wordSilence, and the text of the last word comes later, but once.
func TestPartialTextNeedsNewSpeech(t *testing.T) {
	e := openTest(t)
	speech := conversationClip(t, 3)
	s := openStream(t, e, StreamOptions{Partial: time.Millisecond})
	partials := onlyText(pushLive(t, s, append(speech, make([]float32, sampleRate)...)), Partial)
	if len(partials) < 5 {
		t.Fatalf("%d partial texts", len(partials))
	}
	const word, complete = 0.3, 0.39 // s
	late, lastWords := 0, map[float64]int{}
	for _, p := range partials {
		if gap := p.At - p.End; gap >= complete {
			late++
		} else if gap > word {
			lastWords[p.End]++
		}
	}
	for end, n := range lastWords {
		if n > 1 {
			t.Errorf("%d partial texts in the silence after %.3f s", n, end)
		}
	}
	if late == 0 {
		t.Error("no partial text of a complete turn")
	}
}
