package main

import (
	"fmt"
	"net/http"
	"time"
)

const (
	replayedCalls = 300
	goalCalls     = 10_000 // of 30 s, in an hour
)

// benchReplay is the part of a replay that the figures use.
type benchReplay struct {
	ID, Status     string
	Replayed, Same int
}

// benchReplays records calls of the simulator and holds them again.
func benchReplays(b *callBench) ([]figureRow, error) {
	if _, err := b.startAppliance("--lines", "60"); err != nil {
		return nil, err
	}
	calls, err := b.bookAndAwait(replayedCalls)
	if err != nil {
		return nil, err
	}
	var recorded float64
	for _, c := range calls {
		if c.Duration != nil {
			recorded += *c.Duration
		}
	}
	spent, began := b.process.ProcessorTime(), time.Now()
	done, err := b.holdReplay()
	if err != nil {
		return nil, err
	}
	took := time.Since(began)
	spent = b.process.ProcessorTime() - spent
	pace := recorded / took.Seconds()
	return []figureRow{{
		fmt.Sprintf("replay of %d recorded calls of %.1f s", done.Replayed, recorded/float64(len(calls))),
		fmt.Sprintf("%.1f s: %.0f × as fast as the calls; processor %.0f %%", took.Seconds(), pace,
			100*spent.Seconds()/took.Seconds()),
		fmt.Sprintf("%.0f ×: %d calls of 30 s in an hour; as in the call: %d; %s",
			goalCalls*30/time.Hour.Seconds(), goalCalls, done.Same, machineLoad()),
	}}, nil
}

// holdReplay replays all calls with the published version and returns the replay once it has ended.
func (b *callBench) holdReplay() (benchReplay, error) {
	var r benchReplay
	body := map[string]any{
		"scenario_id": "appointment_confirmation", "version": "published", "from": "2020-01-01T00:00:00Z",
	}
	if err := b.requestJSON(http.MethodPost, "/replays", apiKey, body, &r); err != nil {
		return r, err
	}
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if err := b.requestJSON(http.MethodGet, "/replays/"+r.ID, apiKey, nil, &r); err != nil {
			return r, err
		}
		switch r.Status {
		case "running":
		case "done":
			return r, nil
		default:
			return r, fmt.Errorf("replay %s: %s", r.ID, r.Status)
		}
	}
	return r, fmt.Errorf("replay %s does not end", r.ID)
}
