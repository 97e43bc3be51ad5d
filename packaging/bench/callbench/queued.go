package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

// queuedCalls is how many conversations are booked at once.
const queuedCalls = 20

// benchQueued books conversations at once without a number of lines, so that the machine's measured capacity bounds
// them: as many as hold real time run, the rest wait. The cost of the start is reported, too.
func benchQueued(b *callBench) ([]figureRow, error) {
	capacity := b.watchCapacity()
	ready, err := b.startAppliance()
	if err != nil {
		return nil, err
	}
	started := b.process.ProcessorTime()
	var holds string
	select {
	case holds = <-capacity:
	case <-time.After(3 * time.Minute):
		return nil, fmt.Errorf("the appliance reports no capacity")
	}
	began := time.Now()
	calls, err := b.bookAndAwait(queuedCalls)
	if err != nil {
		return nil, err
	}
	pace, completed := slowestPace(calls)
	return []figureRow{
		{"start until ready: clock, processor time", fmt.Sprintf("%.1f s, %.1f s", ready.Seconds(), started.Seconds()), ""},
		{
			fmt.Sprintf("%d conversations booked at once, lines not set: at once at most", queuedCalls),
			fmt.Sprint(mostAtOnce(calls)), "the capacity that was measured: " + holds,
		},
		{
			"… clock by conversation, slowest", fmt.Sprintf("%.3f", pace),
			fmt.Sprintf("1 is real time; %d of %d completed in %.0f s", completed, queuedCalls, time.Since(began).Seconds()),
		},
		{"… most memory of the appliance", b.peakMemory(), "weights + 200 MiB"},
	}, nil
}

// watchCapacity returns a channel that receives the capacity which the appliance will log at its start.
func (b *callBench) watchCapacity() <-chan string {
	var mu sync.Mutex
	capacity := make(chan string, 1)
	measured := regexp.MustCompile(`msg="capacity measured" (.*)`)
	b.line = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		if m := measured.FindStringSubmatch(text); m != nil && len(capacity) == 0 {
			capacity <- m[1]
		}
	}
	return capacity
}

// bookAndAwait holds n conversations.
func (b *callBench) bookAndAwait(n int) (ended []benchCall, err error) {
	var ids []string
	for i := range n {
		c, err := b.bookCall(fmt.Sprintf("+96651%05d%02d", i, i%60), time.Time{})
		if err != nil {
			return nil, err
		}
		ids = append(ids, c.ID)
	}
	for _, id := range ids {
		c, err := b.awaitCall(id)
		if err != nil {
			return nil, err
		}
		ended = append(ended, c)
	}
	return ended, nil
}

// slowestPace returns by how much the slowest completed call fell behind the clock, and how many were completed.
func slowestPace(calls []benchCall) (pace float64, completed int) {
	for _, c := range calls {
		if c.Status == "completed" && c.Duration != nil {
			completed++
			pace = max(pace, c.EndedAt.Sub(*c.StartedAt).Seconds()/(*c.Duration+0.5))
		}
	}
	return pace, completed
}

// mostAtOnce returns the maximum number of concurrent calls.
func mostAtOnce(calls []benchCall) (most int) {
	for _, c := range calls {
		up := 0
		for _, other := range calls {
			if c.StartedAt != nil && other.StartedAt != nil && other.EndedAt != nil &&
				!other.StartedAt.After(*c.StartedAt) && other.EndedAt.After(*c.StartedAt) {
				up++
			}
		}
		most = max(most, up)
	}
	return most
}

// peakMemory returns the appliance's peak resident memory.
func (b *callBench) peakMemory() string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", b.process.PID()))
	if err != nil {
		return "not known: " + err.Error()
	}
	var kilobytes int
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); err == nil {
			break
		}
	}
	return fmt.Sprintf("%d MiB", kilobytes>>10)
}
