package webhook_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"munadi/store/delivery"
)

// deliveryLags collects what a meter hears.
type deliveryLags struct {
	mu       sync.Mutex
	outcomes map[string]int
	late     []time.Duration // of delivered ones
}

func (l *deliveryLags) CountDelivery(outcome string, _, lag time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.outcomes == nil {
		l.outcomes = map[string]int{}
	}
	l.outcomes[outcome]++
	if outcome == "delivered" {
		l.late = append(l.late, lag)
	}
}

func (l *deliveryLags) lagCount(outcome string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.outcomes[outcome]
}

func (l *deliveryLags) percentile99() time.Duration {
	slices.Sort(l.late)
	return l.late[len(l.late)*99/100]
}

// TestHangingReceiversDelayNoOther: 20 of 200 receivers hang; the others get what they are owed as if there were none.
func TestHangingReceiversDelayNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o, heard := newOutbox(), &deliveryLags{}
		f := newReceivers(func(r *http.Request, _ int) (*http.Response, error) {
			if strings.HasPrefix(r.URL.Host, "dead") {
				return hangAnswer(r)
			}
			return answerAfter(r, 50*time.Millisecond, 200)
		})
		opt := workerOptions(o, f)
		opt.Meter = heard
		defer startWorker(t, opt)()
		for round := range 30 { // one notification a second for each of them
			for i := range 200 {
				name := fmt.Sprintf("live%d", i)
				if i%10 == 0 {
					name = fmt.Sprintf("dead%d", i)
				}
				o.addAndWake(name, fmt.Sprintf("call_%d_%d", i, round))
			}
			time.Sleep(time.Second)
		}
		time.Sleep(5 * time.Second)
		heard.mu.Lock()
		defer heard.mu.Unlock()
		if n := heard.outcomes["delivered"]; n != 180*30 {
			t.Errorf("%d of %d delivered", n, 180*30)
		}
		if p99 := heard.percentile99(); p99 > 100*time.Millisecond {
			t.Errorf("p99 of the healthy receivers' lag is %v", p99)
		}
		if heard.outcomes["timeout"] < 40 {
			t.Errorf("outcomes: %v", heard.outcomes)
		}
	})
}

// TestMoreHangingReceiversThanSlots: once it is known who hangs, they leave half of the places to the others.
func TestMoreHangingReceiversThanSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o, heard := newOutbox(), &deliveryLags{}
		running, most := 0, 0
		var mu sync.Mutex
		f := newReceivers(func(r *http.Request, _ int) (*http.Response, error) {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			defer func() { mu.Lock(); running--; mu.Unlock() }()
			if strings.HasPrefix(r.URL.Host, "dead") {
				return hangAnswer(r)
			}
			return answerAfter(r, 50*time.Millisecond, 200)
		})
		opt := workerOptions(o, f)
		opt.Meter, opt.Parallel = heard, 64 // eight organizations' worth
		defer startWorker(t, opt)()
		for i := range 40 {
			for n := range 9 {
				o.addAndWake(fmt.Sprintf("dead%d", i), fmt.Sprintf("call_%d_%d", i, n))
			}
		}
		time.Sleep(100 * time.Second) // all 40 have been met: 8 at a time, at first, for ten seconds each
		for n := range 60 {
			o.addAndWake("live", fmt.Sprint(n))
			time.Sleep(time.Second)
		}
		heard.mu.Lock()
		defer heard.mu.Unlock()
		if len(heard.late) != 60 || heard.percentile99() > time.Millisecond {
			t.Errorf("%d of 60 delivered, p99 of the lag %v", len(heard.late), heard.percentile99())
		}
		mu.Lock()
		defer mu.Unlock()
		if most != 64 {
			t.Errorf("%d tries ran at once, want 64", most)
		}
	})
}

// TestBusyReceiversShareSlots: more busy receivers than places; the longest wait is served first.
func TestBusyReceiversShareSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOutbox()
		f := newReceivers(func(r *http.Request, _ int) (*http.Response, error) { return answerAfter(r, time.Second, 200) })
		opt := workerOptions(o, f)
		opt.Parallel = 3
		defer startWorker(t, opt)()
		for n := range 10 {
			for i := range 9 {
				o.addAndWake(fmt.Sprintf("org%d", i), fmt.Sprintf("call_%d_%d", i, n))
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(31 * time.Second)
		for i := range 9 {
			if d := o.findByCall(t, fmt.Sprintf("call_%d_9", i)); d.State != delivery.Delivered {
				t.Errorf("the last of organization %d is %s", i, d.State)
			}
		}
	})
}
