package recognizer

import (
	"testing"
	"time"
)

func TestCapacityOfCost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cost            time.Duration
		parallel        int
		speakers, calls int
	}{
		{10 * time.Millisecond, 2, 140, 280},
		{50 * time.Millisecond, 1, 14, 28},
		{2 * time.Second, 1, 1, 1}, // slower than real time: one is admitted
		{0, 1, 7000, 14000},
	} {
		if got := capacityOf(c.cost, c.parallel); got.Speakers != c.speakers || got.Calls != c.calls {
			t.Errorf("%v on %d: %+v", c.cost, c.parallel, got)
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
