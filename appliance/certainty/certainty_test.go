package certainty

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/scenario"
)

// drawAnswer draws an answer whose score says how likely it is right, but too optimistically.
func drawAnswer(rng *rand.Rand) Sample {
	score := math.Sqrt(rng.Float64())
	return Sample{Score: score, Right: rng.Float64() < 0.9+0.1*score*score}
}

// expectedWrong is the share of [drawAnswer]'s answers that are wrong and have the score or more: the integral of
// 2s · 0.1(1 - s²) from it to 1.
func expectedWrong(score float64) float64 { return 0.05 * (1 - score*score) * (1 - score*score) }

// TestBoundHolds: over many samples, of 1,000 answers to come at most max_wrong are taken and wrong on average, and not
// far less where errors are frequent: the threshold is no tighter than needed.
func TestBoundHolds(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ maxWrong, n int }{{5, 199}, {5, 1000}, {20, 120}, {20, 1000}} {
		const trials = 300
		sum, squares := 0.0, 0.0
		for range trials {
			var known []Sample
			for range c.n {
				known = append(known, drawAnswer(rng))
			}
			threshold, enough := FitThreshold(known, c.maxWrong, 0)
			if !enough {
				t.Fatalf("%d samples are not enough for %d", c.n, c.maxWrong)
			}
			if proven := BoundAt(known, threshold); proven > float64(c.maxWrong)+1e-9 {
				t.Fatalf("%d samples: the threshold %.3f proves %.2f, not %d", c.n, threshold, proven, c.maxWrong)
			}
			rate := 1000 * expectedWrong(threshold)
			sum, squares = sum+rate, squares+rate*rate
		}
		mean := sum / trials
		deviation := math.Sqrt((squares/trials - mean*mean) / trials)
		if mean > float64(c.maxWrong)+3*deviation {
			t.Errorf("at most %d of 1,000, %d samples: %.2f ± %.2f are wrong", c.maxWrong, c.n, mean, deviation)
		}
		if c.n >= 1000 && mean < 0.6*float64(c.maxWrong) {
			t.Errorf("at most %d of 1,000, %d samples: only %.2f are wrong, more is asked than needed", c.maxWrong, c.n, mean)
		}
	}
}

// TestTooFewSamplesProveNothing: one sample less than needed gives no threshold.
func TestTooFewSamplesProveNothing(t *testing.T) {
	t.Parallel()
	for maxWrong := 1; maxWrong <= 100; maxWrong++ {
		known := make([]Sample, NeededSamples(maxWrong))
		for i := range known {
			known[i] = Sample{Score: 0.9, Right: true}
		}
		if _, enough := FitThreshold(known[1:], maxWrong, 0.5); enough {
			t.Errorf("%d of 1,000: %d samples are enough", maxWrong, len(known)-1)
		}
		if at, enough := FitThreshold(known, maxWrong, 0.5); !enough || at != 0.5 {
			t.Errorf("%d of 1,000: %d right samples give %v %v", maxWrong, len(known), at, enough)
		}
	}
}

// callPages is a store of calls.
type callPages struct {
	all  []call.Call
	read int
	err  error
}

func (p *callPages) CallsPage(_ context.Context, _ string, f store.CallFilter) (store.ListPage[call.Call], error) {
	p.read++
	from := 0
	if f.Cursor != "" {
		if _, err := fmt.Sscan(f.Cursor, &from); err != nil {
			return store.ListPage[call.Call]{}, err
		}
	}
	to := min(from+f.Limit, len(p.all))
	page := store.ListPage[call.Call]{Items: p.all[from:to]}
	if to < len(p.all) {
		page.Next = fmt.Sprint(to)
	}
	return page, p.err
}

const asking = `{"id":"s","name":"s","steps":[{"id":"q","type":"ask","say":"هل تؤكدون","max_wrong":20,
	"slot":{"name":"ok","type":"yes_no"}}],"report":{}}`

func readAsking(t *testing.T) scenario.Scenario {
	t.Helper()
	var s scenario.Scenario
	if err := json.Unmarshal([]byte(asking), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMeterCounts: only answers read back by lot and answered are known, and those that staff corrected; other bases
// count nothing. Enough of them turn the reading back of every answer into a threshold.
func TestMeterCounts(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	s, yes, no := readAsking(t), true, false
	basis := BasisOf(*s.Steps[0].Slot, "model")
	pages := &callPages{}
	add := func(n int, d call.AnswerDecision, corrected bool) {
		for range n {
			d.Slot = "ok"
			c := call.Call{CreatedAt: now, Report: json.RawMessage(`{"ok":true}`), Decisions: []call.AnswerDecision{d}}
			if corrected {
				c.Corrections = []call.CallCorrection{{Slot: "ok", Value: json.RawMessage(`false`)}}
			}
			pages.all = append(pages.all, c)
		}
	}
	add(250, call.AnswerDecision{Basis: basis, Score: 0.95, Drawn: true, Asked: true, Right: &yes}, false)
	add(3, call.AnswerDecision{Basis: basis, Score: 0.6, Drawn: true, Asked: true, Right: &no}, false)
	add(2, call.AnswerDecision{Basis: basis, Score: 0.8}, true)
	add(40, call.AnswerDecision{Basis: basis, Score: 0.99}, false)
	add(7, call.AnswerDecision{Basis: basis, Score: 0.5, Asked: true, Right: &no}, false)
	now = now.AddDate(0, 0, -7) // of the week before
	add(9, call.AnswerDecision{Basis: basis, Score: 0.9, Drawn: true, Asked: true}, false)
	add(500, call.AnswerDecision{Basis: "other", Score: 0.9, Drawn: true, Right: &no}, false)
	meter := &Meter{
		Calls: pages, Model: func() string { return "model" }, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		Usual: func(scenario.SlotType) (accept, least float64) { return 0.77, 0.45 },
	}
	asked, err := meter.MeasureScenario(t.Context(), "o", s, time.UTC)
	if err != nil || len(asked) != 1 {
		t.Fatal(asked, err)
	}
	q := asked[0]
	if q.Answers != 311 || q.Asked != 269 || q.Known != 255 || q.Wrong != 5 || !q.Holds || len(q.Weeks) != 2 || q.Weeks[1].Holds || q.Weeks[0].Bound != q.Bound {
		t.Errorf("%+v", q)
	}
	if q.Threshold <= 0.6 || q.Threshold > 0.8 || q.Bound > 20 { // 20 of 1,000 allow 4 of 256: two wrong ones at 0.8
		t.Errorf("threshold %v, proven %v of 1,000", q.Threshold, q.Bound)
	}
	b := meter.FindBounds(t.Context(), "o", s)["ok"]
	read := pages.read
	if again := meter.FindBounds(t.Context(), "o", s)["ok"]; again != b || pages.read != read || b.Accept != q.Threshold || b.Draw >= 1 {
		t.Errorf("bounds %+v and %+v, pages read %d and %d", b, again, read, pages.read)
	}
	s.Steps[0].Slot.Yes = []string{"حاضر"}
	if b := meter.FindBounds(t.Context(), "o", s)["ok"]; b.Draw != 1 {
		t.Errorf("after a change of the question: %+v", b)
	}
	pages.err = errRead
	if b := meter.FindBounds(t.Context(), "another", s)["ok"]; b.Draw != 1 || b.Basis == "" {
		t.Errorf("without a store: %+v", b)
	}
}

var errRead = fmt.Errorf("the store fails")
