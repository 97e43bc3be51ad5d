package recognizer

import (
	"testing"
	"time"

	"munadi/engine"
)

func TestCapacityOfCost(t *testing.T) {
	t.Parallel()
	ms := time.Millisecond
	for _, c := range []struct {
		costs           liveCosts
		speakers, calls int
	}{
		{liveCosts{10 * ms, 10 * ms, 80 * ms, 0, 2, 2}, 140, 280},
		{liveCosts{30 * ms, 30 * ms, 240 * ms, 8 * ms, 1, 1}, 16, 30}, // final texts come late before the machine is full
		{liveCosts{30 * ms, 40 * ms, 60 * ms, 8 * ms, 1, 1}, 15, 30},  // a cache-aware model: its final text is one chunk
		{liveCosts{30 * ms, 40 * ms, 60 * ms, 8 * ms, 1, 8}, 17, 44},  // a run on all of 8 processors
		{liveCosts{3 * ms, 4 * ms, 20 * ms, 8 * ms, 2, 2}, 117, 147},  // a small model: lines cost more than recognition
		{liveCosts{50 * ms, 100 * ms, 100 * ms, 8 * ms, 1, 1}, 6, 21},
		{liveCosts{60 * ms, 200 * ms, 480 * ms, 8 * ms, 1, 1}, 1, 18},     // not even one speaker's final text comes in time
		{liveCosts{2000 * ms, 3000 * ms, 16000 * ms, 8 * ms, 1, 1}, 1, 1}, // slower than real time: one is admitted
		{liveCosts{0, 0, 0, 0, 1, 1}, 7000, 7000},
	} {
		got := c.costs.fitCapacity()
		if got.Speakers != c.speakers || got.Calls != c.calls || got.Late != c.costs.finalLateness(got.Speakers) {
			t.Errorf("%+v: %+v", c.costs, got)
		}
	}
}

func TestSpeakersAndCallsShareTheMachine(t *testing.T) {
	t.Parallel()
	c := LiveCapacity{Speakers: 4, Calls: 20}
	for speakers, calls := range map[int]int{0: 20, 1: 15, 3: 5, 4: 1, 9: 1} {
		if got := c.CallsBeside(speakers); got != calls {
			t.Errorf("beside %d speakers %d calls, want %d", speakers, got, calls)
		}
	}
	for calls, speakers := range map[int]int{0: 4, 4: 4, 5: 3, 19: 1, 40: 1} {
		if got := c.SpeakersBeside(calls); got != speakers {
			t.Errorf("beside %d calls %d speakers, want %d", calls, got, speakers)
		}
	}
}

func TestCapacityIsUnknownAtFirst(t *testing.T) {
	t.Parallel()
	m := &CapacityMeter{Recognizer: &Recognizer{}}
	if c, known := m.CurrentCapacity(); known {
		t.Errorf("capacity %+v without an engine", c)
	}
	if err := m.measureAgain(t.Context()); err != nil {
		t.Error(err)
	}
	if n := m.LimitCalls(500, 0); n != unmeasuredCalls {
		t.Errorf("%d calls are admitted, want %d", n, unmeasuredCalls)
	}
	m.known.Store(&measuredCapacity{new(engine.Engine), time.Now(), LiveCapacity{Speakers: 10, Calls: 40}})
	if n := m.LimitCalls(500, 0); n != 40 {
		t.Errorf("%d calls are admitted while a new engine is not measured, want those of the former", n)
	}
}
