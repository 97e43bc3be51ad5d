package main

import (
	"fmt"
	"net/http"
	"time"
)

// benchConversations holds an increasing number of conversations at once, in real time.
func benchConversations(b *callBench) ([]figureRow, error) {
	if _, err := b.startAppliance("--lines", "200"); err != nil {
		return nil, err
	}
	var rows []figureRow
	for _, n := range []int{10, 20, 40, 60, 80} {
		pace, ok, err := b.holdConversations(n)
		if err != nil {
			return nil, err
		}
		rows = append(rows, figureRow{
			fmt.Sprintf("%d conversations at once: clock by conversation, slowest", n), fmt.Sprintf("%.3f", pace),
			fmt.Sprintf("1 is real time; %d of %d completed", ok, n),
		})
		if pace > 1.15 {
			break
		}
	}
	return rows, nil
}

// holdConversations holds n conversations and returns by how much the slowest fell behind the clock, and how many
// were completed.
func (b *callBench) holdConversations(n int) (pace float64, completed int, err error) {
	calls, err := b.bookAndAwait(n)
	if err != nil {
		return 0, 0, err
	}
	pace, completed = slowestPace(calls)
	return pace, completed, nil
}

// awaitCall returns a call once it has ended.
func (b *callBench) awaitCall(id string) (benchCall, error) {
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		var c benchCall
		if err := b.requestJSON(http.MethodGet, "/calls/"+id, apiKey, nil, &c); err != nil || c.EndedAt != nil {
			return c, err
		}
	}
	return benchCall{}, fmt.Errorf("%s does not end", id)
}
