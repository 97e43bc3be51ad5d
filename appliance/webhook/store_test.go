package webhook_test

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"munadi/store"
	"munadi/store/badger"
	"munadi/store/delivery"
)

// TestWithTheStore: the worker on the real database, with fake time: tries, a restart between two of them, a test,
// and a delivery that a person asks for again.
func TestWithTheStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}()
		addReceiver(t, s, "bakery", "https://bakery.example/hook")
		addReceiver(t, s, "florist", "https://florist.example/hook")
		var first atomic.Value // the delivery that fails three times
		first.Store("")
		var fails atomic.Int32
		f := newReceivers(func(r *http.Request, _ int) (*http.Response, error) {
			if r.Header.Get("X-Munadi-Delivery") == first.Load() && fails.Add(1) <= 3 {
				return answerStatus(500)
			}
			return answerStatus(200)
		})
		opt := workerOptions(nil, f)
		opt.Store = s
		stop := startWorker(t, opt)
		begun := time.Now()
		a := delivery.NewDelivery("bakery", delivery.CallEnded, "a", time.Now())
		first.Store(a.ID)
		if err := s.AddDelivery(t.Context(), a, "test"); err != nil {
			t.Fatal(err)
		}
		addCall(t, s, "bakery", "b")
		addCall(t, s, "florist", "c")
		time.Sleep(time.Second)
		stop()
		time.Sleep(10 * time.Second)
		stop = startWorker(t, opt)
		time.Sleep(time.Minute)
		got := strings.Fields(f.bodiesOf("bakery.example"))
		slices.Sort(got)
		if !slices.Equal(got, []string{"a", "a", "a", "b"}) || f.bodiesOf("florist.example") != "c" {
			t.Errorf("posts %s", got)
		}
		for i, want := range []time.Duration{0, 0, 0, 11 * time.Second, 13 * time.Second} {
			if at := f.receivedPosts()[i].at.Sub(begun); at < want || at > want+100*time.Millisecond {
				t.Errorf("post %d (%s) after %v, want %v", i, f.receivedPosts()[i].call, at, want)
			}
		}
		if d := wantState(t, s, a, delivery.Failed); len(d.Tries) != 3 || d.Tries[0].Request != "a" {
			t.Errorf("the delivery is %+v", d)
		}
		if _, err := s.RedeliverWebhook(t.Context(), "bakery", a.ID, "user:1", time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		stop()
		if d := wantState(t, s, a, delivery.Delivered); len(d.Tries) != 4 {
			t.Errorf("the delivery is %+v", d)
		}
	})
}

func addCall(t *testing.T, s store.OutboxStore, org, call string) delivery.Delivery {
	t.Helper()
	d := delivery.NewDelivery(org, delivery.CallEnded, call, time.Now())
	if err := s.AddDelivery(t.Context(), d, "test"); err != nil {
		t.Fatal(err)
	}
	return d
}

func wantState(t *testing.T, s store.OutboxStore, d delivery.Delivery, want delivery.DeliveryState) delivery.Delivery {
	t.Helper()
	got, err := s.FindDelivery(t.Context(), d.OrgID, d.ID)
	if err != nil || got.State != want {
		t.Fatalf("%s is %s, %v; want %s", d.CallID, got.State, err, want)
	}
	return got
}
