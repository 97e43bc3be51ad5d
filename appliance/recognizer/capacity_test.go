package recognizer

import (
	"testing"
	"time"
)

func TestCapacityOfCost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spoken, shown   time.Duration
		parallel        int
		speakers, calls int
	}{
		{10 * time.Millisecond, 10 * time.Millisecond, 2, 140, 280},
		{50 * time.Millisecond, 100 * time.Millisecond, 1, 7, 28},
		{2 * time.Second, 3 * time.Second, 1, 1, 1}, // slower than real time: one is admitted
		{0, 0, 1, 7000, 14000},
	} {
		if got := capacityOf(c.spoken, c.shown, c.parallel); got.Speakers != c.speakers || got.Calls != c.calls {
			t.Errorf("%v, %v on %d: %+v", c.spoken, c.shown, c.parallel, got)
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
}
