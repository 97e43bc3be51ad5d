package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const (
	clients   = 32
	bookFor   = 10 * time.Second
	receivers = 32
	each      = 60 // notifications a receiver
	booked    = 100_000
	samples   = 300
)

// syncedWrites is how many synced transactions a second Badger makes, one writer after another.
func syncedWrites() (float64, error) {
	out, err := exec.Command("go", "test", "-run", "xxx", "-bench", "SyncedWrite", "-benchtime", "2s",
		"./store/badger").Output()
	if err != nil {
		return 0, err
	}
	found := regexp.MustCompile(`SyncedWrite\S*\s+\d+\s+([\d.]+) ns/op`).FindSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("no SyncedWrite in %q", out)
	}
	ns, err := strconv.ParseFloat(string(found[1]), 64)
	return 1e9 / ns, err
}

// together runs f from many goroutines until it says false, and returns how often it said true and the first error.
func together(workers int, f func(n int64) (bool, error)) (int64, error) {
	var next, done atomic.Int64
	var first error
	var once sync.Once
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for {
				again, err := f(next.Add(1))
				if err != nil {
					once.Do(func() { first = err })
					return
				}
				if !again {
					return
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	return done.Load(), first
}

// number is a telephone number of its own for each n, ending so.
func number(n int64, ending string) string { return fmt.Sprintf("+9665%06d%s", n%1_000_000, ending) }

// bookings books from many clients.
func bookings(b *bench) ([]row, error) {
	if _, err := b.start(); err != nil {
		return nil, err
	}
	limit, err := syncedWrites()
	if err != nil {
		return nil, err
	}
	end := time.Now().Add(bookFor)
	n, err := together(clients, func(n int64) (bool, error) {
		_, err := b.book(number(n, "94"), time.Now().Add(time.Hour))
		return time.Now().Before(end), err
	})
	rate := float64(n) / bookFor.Seconds()
	return []row{{
		fmt.Sprintf("bookings a second over HTTP, %d clients", clients), fmt.Sprintf("%.0f", rate),
		fmt.Sprintf("%.2f × Badger's synced writes (%.0f/s, one writer)", rate/limit, limit),
	}}, err
}

// deliveries sends many organizations' notifications at once.
func deliveries(b *bench) ([]row, error) {
	if _, err := b.start(); err != nil {
		return nil, err
	}
	limit, err := syncedWrites()
	if err != nil {
		return nil, err
	}
	var got atomic.Int64
	all := make(chan struct{})
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if got.Add(1) == receivers*each {
			close(all)
		}
	}))
	defer hook.Close()
	keys, err := b.organizations(hook.URL)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if _, err := together(receivers, func(n int64) (bool, error) {
		if n > receivers*each {
			return false, nil
		}
		return true, b.ask(http.MethodPost, "/webhook/test", keys[n%receivers], nil, nil)
	}); err != nil {
		return nil, err
	}
	<-all
	rate := receivers * each / time.Since(began).Seconds()
	return []row{{
		fmt.Sprintf("webhooks owed and delivered a second, %d receivers", receivers), fmt.Sprintf("%.0f", rate),
		fmt.Sprintf("%.2f × Badger's synced writes; each needs two", rate/limit),
	}}, nil
}

// organizations makes the receivers' organizations and returns their keys.
func (b *bench) organizations(url string) ([]string, error) {
	var keys []string
	for i := range receivers {
		id := fmt.Sprintf("org-%d", i)
		if _, err := b.command("orgs", "create", id); err != nil {
			return nil, err
		}
		key, err := b.command("keys", "create", "--org", id, "--scope", "calls")
		if err != nil {
			return nil, err
		}
		setting := map[string]any{"url": url, "enabled": true}
		if err := b.ask(http.MethodPut, "/webhook", key, setting, nil); err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// releases measures a start and the way from the due time to the webhook with 100,000 calls booked for later.
func releases(b *bench) ([]row, error) {
	empty, err := b.start("--time-scale", "100")
	if err != nil {
		return nil, err
	}
	if _, err := together(clients, func(n int64) (bool, error) {
		if n > booked {
			return false, nil
		}
		_, err := b.book(number(n, "94"), time.Now().Add(time.Hour+time.Duration(n)*20*time.Second))
		return true, err
	}); err != nil {
		return nil, err
	}
	b.stop()
	full, err := b.start("--time-scale", "100")
	if err != nil {
		return nil, err
	}
	lags, err := b.lags()
	if err != nil {
		return nil, err
	}
	return []row{
		{
			"start until ready, 100,000 calls booked",
			fmt.Sprintf("%.2f s", full.Seconds()), fmt.Sprintf("%.2f s with none; < 1 s more", empty.Seconds()),
		},
		{
			"booked for now until its webhook arrives (carrier fails at once), 100,000 others booked: p50, p99",
			fmt.Sprintf("%.0f ms, %.0f ms", at(lags, 0.5), at(lags, 0.99)), "",
		},
	}, nil
}

// lags books calls that fail at once and returns the milliseconds until their webhooks, in order of length.
func (b *bench) lags() ([]float64, error) {
	arrived := make(chan string, samples)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body struct {
			CallID string `json:"call_id"`
		}
		if json.NewDecoder(r.Body).Decode(&body) == nil {
			arrived <- body.CallID
		}
	}))
	defer hook.Close()
	setting := map[string]any{"url": hook.URL, "enabled": true}
	if err := b.ask(http.MethodPut, "/webhook", apiKey, setting, nil); err != nil {
		return nil, err
	}
	var lags []float64
	for i := range int64(samples) {
		began := time.Now()
		c, err := b.book(number(i, "94"), time.Time{})
		if err != nil {
			return nil, err
		}
		for id := ""; id != c.ID; {
			select {
			case id = <-arrived:
			case <-time.After(time.Minute):
				return nil, fmt.Errorf("no webhook of %s", c.ID)
			}
		}
		lags = append(lags, float64(time.Since(began).Microseconds())/1000)
	}
	slices.Sort(lags)
	return lags, nil
}

// at is a quantile of sorted values.
func at(sorted []float64, q float64) float64 { return sorted[int(q*float64(len(sorted)-1))] }

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
