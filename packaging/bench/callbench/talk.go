package main

import (
	"fmt"
	"net/http"
	"time"
)

// conversations talks with more and more people at once, in real time.
func conversations(b *bench) ([]row, error) {
	if _, err := b.start("--lines", "200"); err != nil {
		return nil, err
	}
	var rows []row
	for _, n := range []int{10, 20, 40, 60, 80} {
		pace, ok, err := b.talk(n)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{
			fmt.Sprintf("%d conversations at once: clock by conversation, slowest", n), fmt.Sprintf("%.3f", pace),
			fmt.Sprintf("1 is real time; %d of %d completed", ok, n),
		})
		if pace > 1.15 {
			break
		}
	}
	return rows, nil
}

// talk holds n conversations and returns by how much the slowest fell behind the clock, and how many were completed.
func (b *bench) talk(n int) (pace float64, completed int, err error) {
	var ids []string
	for i := range n {
		c, err := b.book(fmt.Sprintf("+96651%05d%02d", i, i%60), time.Time{})
		if err != nil {
			return 0, 0, err
		}
		ids = append(ids, c.ID)
	}
	for _, id := range ids {
		c, err := b.await(id)
		if err != nil {
			return 0, 0, err
		}
		if c.Status != "completed" || c.Duration == nil {
			continue
		}
		completed++
		pace = max(pace, c.EndedAt.Sub(*c.StartedAt).Seconds()/(*c.Duration+0.5))
	}
	return pace, completed, nil
}

// await is a call once it has ended.
func (b *bench) await(id string) (call, error) {
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		var c call
		if err := b.ask(http.MethodGet, "/calls/"+id, apiKey, nil, &c); err != nil || c.EndedAt != nil {
			return c, err
		}
	}
	return call{}, fmt.Errorf("%s does not end", id)
}
