package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/httpserver/signedurl"
	"munadi/appliance/webhook"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/job"
	"munadi/store/memory"
)

// eventFixture is a store with the organization "bakery", and receivers of its events.
type eventFixture struct {
	*testing.T
	store *memory.Store
	*fakeReceivers
}

func newEventFixture(t *testing.T, answer func(*http.Request, int) (*http.Response, error)) *eventFixture {
	t.Helper()
	f := &eventFixture{t, memory.OpenStore(), newReceivers(answer)}
	f.must(f.store.CreateOrganization(t.Context(), account.Organization{ID: "bakery", CreatedAt: time.Now()}, "test"))
	return f
}

func (f *eventFixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// addDestination adds a destination of all events at a host.
func (f *eventFixture) addDestination(host string) delivery.Destination {
	f.Helper()
	d := delivery.NewDestination("https://"+host+"/events", delivery.AllEventTypes(), true, time.Now())
	f.change(func(b *delivery.DestinationBoard) { b.Destinations = append(b.Destinations, d) })
	return d
}

func (f *eventFixture) change(change func(*delivery.DestinationBoard)) {
	f.Helper()
	f.must(f.store.ChangeDestinations(f.Context(), "bakery", func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
		change(b)
		return store.AuditEntry{}, nil
	}))
}

// start runs the worker of events; stop ends it and waits.
func (f *eventFixture) start() (stop func()) {
	f.Helper()
	signer, err := signedurl.NewSigner([32]byte{1})
	f.must(err)
	w := webhook.NewEventWorker(webhook.EventSource{
		Store:   f.store,
		Links:   &signedurl.SignedLinks{Signer: signer, PublicURL: func() string { return "https://munadi.test" }, Now: time.Now},
		JobBody: func(j job.Job) ([]byte, error) { return json.Marshal(map[string]any{"id": j.ID, "status": j.Status}) },
	}, workerOptions(nil, f.fakeReceivers))
	ctx, cancel := context.WithCancel(f.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	return func() {
		f.Helper()
		cancel()
		if err := <-ended; err != nil {
			f.Errorf("Run: %v", err)
		}
	}
}

// bookCall books a call; releaseCall and endCall bring it further.
func (f *eventFixture) bookCall() call.Call {
	f.Helper()
	c := call.Call{
		ID: call.NewID(), OrgID: "bakery", Status: call.Scheduled, PhoneNumber: "+966500000001", ScenarioID: "order",
		CreatedAt: time.Now(), ScheduledAt: time.Now(), Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: "call_x"},
	}
	_, err := f.store.BookCall(f.Context(), c, "test", nil)
	f.must(err)
	return c
}

func (f *eventFixture) endCall(c call.Call) {
	f.Helper()
	_, err := f.store.ReleaseCall(f.Context(), "bakery", c.ID, time.Now())
	f.must(err)
	_, err = f.store.AnswerCall(f.Context(), "bakery", c.ID, "bakery/"+c.ID+".wav", time.Now())
	f.must(err)
	outcome := call.CallOutcome{
		Status: call.Completed, Messages: []call.Message{{Role: call.User, Content: "نعم <b>"}},
		Recording: "bakery/" + c.ID + ".wav", RecordingSum: &call.RecordingSum{Size: 44, SHA256: "ab"},
	}
	_, err = f.store.FinishCall(f.Context(), "bakery", c.ID, outcome, nil, time.Now())
	f.must(err)
}

// readEvent decodes the body of a post.
func readEvent(t *testing.T, p receivedPost) (body struct {
	Type      string         `json:"type"`
	ID        string         `json:"id"`
	Timestamp time.Time      `json:"timestamp"`
	Data      map[string]any `json:"data"`
},
) {
	t.Helper()
	if err := json.Unmarshal([]byte(p.call), &body); err != nil {
		t.Fatalf("%v: %s", err, p.call)
	}
	return body
}

// TestEventsOfCall: each state of a call is posted as it was then, signed, in order, with the id in header and body.
func TestEventsOfCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newEventFixture(t, func(r *http.Request, _ int) (*http.Response, error) {
			return answerAfter(r, 100*time.Millisecond, 204)
		})
		to := f.addDestination("shop.example")
		c := f.bookCall()
		f.endCall(c) // all before the first is sent
		defer f.start()()
		time.Sleep(time.Minute)
		var got []string
		for _, p := range f.receivedPosts() {
			checkSigned(t, p, to.Secrets[0].Value, true)
			e := readEvent(t, p)
			got = append(got, fmt.Sprint(e.Type, " ", e.Data["status"]))
			if e.ID != p.header.Get("webhook-id") || e.Data["id"] != c.ID || e.Timestamp.IsZero() {
				t.Errorf("the body is %s", p.call)
			}
		}
		want := []string{"call.booked scheduled", "call.dialing dialing", "call.answered in_progress", "call.completed completed"}
		if !slices.Equal(got, want) {
			t.Errorf("posts %v", got)
		}
		last := f.receivedPosts()[3].call
		if !strings.Contains(last, "نعم <b>") || !strings.Contains(last, "https://munadi.test/api/v1/calls/"+c.ID+"/recording?t=") {
			t.Errorf("the end is %s", last)
		}
	})
}

// TestAbsentFor22Hours: a receiver that is away as long as the tries last at least (27.6 h less 20 %), over restarts of
// the appliance, gets every event, each attempt with the same id and bytes; its failures hold up no other destination.
func TestAbsentFor22Hours(t *testing.T) {
	t.Parallel()
	const absent = 22 // hours
	synctest.Test(t, func(t *testing.T) {
		var away atomic.Bool
		f := newEventFixture(t, func(r *http.Request, n int) (*http.Response, error) {
			switch {
			case r.URL.Host != "away.example" || !away.Load():
				return answerStatus(200)
			case n%2 == 0:
				return hangAnswer(r)
			}
			return answerStatus(503)
		})
		f.addDestination("away.example")
		f.addDestination("there.example")
		away.Store(true)
		stop := f.start()
		var ids []string
		for range absent {
			c := f.bookCall()
			ids = append(ids, c.ID)
			time.Sleep(time.Minute)
			stop()
			stop = f.start()
			f.endCall(c)
			time.Sleep(59 * time.Minute)
		}
		if n := strings.Count(f.bodiesOf("there.example"), `{"type"`); n != absent*4 {
			t.Errorf("the other destination got %d events", n)
		}
		away.Store(false)
		time.Sleep(30 * time.Hour)
		stop()
		bodies, events := map[string]string{}, map[string]int{}
		for _, p := range f.receivedPosts() {
			if p.host != "away.example" {
				continue
			}
			id := p.header.Get("webhook-id")
			if before, known := bodies[id]; known && before != p.call {
				t.Errorf("event %s has the bodies\n%s\n%s", id, before, p.call)
			}
			bodies[id] = p.call
		}
		for _, body := range bodies {
			e := readEvent(t, receivedPost{call: body})
			events[fmt.Sprint(e.Data["id"])]++
		}
		for _, id := range ids {
			if events[id] != 4 {
				t.Errorf("call %s has %d events", id, events[id])
			}
		}
		board, err := f.store.FindDestinations(t.Context(), "bakery")
		f.must(err)
		for _, d := range board.Destinations {
			failed, err := f.store.ListEvents(t.Context(), "bakery", d.ID, delivery.Failed, 200, "")
			pending, err2 := f.store.ListEvents(t.Context(), "bakery", d.ID, delivery.Pending, 200, "")
			if err != nil || err2 != nil || len(failed.Items)+len(pending.Items) > 0 || !d.Enabled {
				t.Errorf("%s: %d failed, %d pending, enabled %v", d.URL, len(failed.Items), len(pending.Items), d.Enabled)
			}
		}
	})
}

// TestStalledDestination: a receiver that stalls takes its own eight places, one for each call, and none of another
// destination's.
func TestStalledDestination(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newEventFixture(t, func(r *http.Request, _ int) (*http.Response, error) {
			if r.URL.Host == "stalls.example" {
				return hangAnswer(r)
			}
			return answerStatus(200)
		})
		f.addDestination("stalls.example")
		f.addDestination("there.example")
		for range 50 {
			f.endCall(f.bookCall())
		}
		defer f.start()()
		time.Sleep(time.Second)
		there, stalled := 0, map[any]bool{}
		for _, p := range f.receivedPosts() {
			if p.host == "there.example" {
				there++
			} else {
				stalled[readEvent(t, p).Data["id"]] = true
			}
		}
		if there != 200 || len(stalled) != 8 {
			t.Errorf("after a second %d were posted, and those of %d calls hang", there, len(stalled))
		}
	})
}

// TestEditedDestination: after a failure the next attempt goes to the new URL with the same bytes; a destination that is
// turned off gets nothing more, nor later what happened meanwhile; a redelivery has the same id and bytes.
func TestEditedDestination(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newEventFixture(t, func(r *http.Request, _ int) (*http.Response, error) {
			if r.URL.Host == "old.example" {
				return answerStatus(500)
			}
			return answerStatus(200)
		})
		to := f.addDestination("old.example")
		defer f.start()()
		f.bookCall()
		time.Sleep(time.Second)
		edit := func(url string, enabled bool) {
			f.change(func(b *delivery.DestinationBoard) {
				d := b.FindDestination(to.ID)
				*d = d.Edit(url, d.Events, enabled, time.Now())
			})
		}
		edit("https://new.example/", true)
		time.Sleep(time.Minute)
		edit("https://old.example/", true)
		f.bookCall() // fails, and ends while it is off
		time.Sleep(time.Second)
		edit("https://new.example/", false)
		time.Sleep(time.Minute)
		f.bookCall()
		edit("https://new.example/", true)
		time.Sleep(48 * time.Hour)
		posts := f.receivedPosts()
		if len(posts) != 3 || posts[1].host != "new.example" || posts[0].call != posts[1].call {
			t.Fatalf("posts %+v", posts)
		}
		page, err := f.store.ListEvents(t.Context(), "bakery", to.ID, delivery.Failed, 10, "")
		f.must(err)
		if len(page.Items) != 1 || page.Items[0].Tries[1].Error != "the destination is turned off" {
			t.Fatalf("failed are %+v", page.Items)
		}
		_, err = f.store.RedeliverEvent(t.Context(), "bakery", to.ID, page.Items[0].ID, "test", time.Now())
		f.must(err)
		time.Sleep(time.Minute)
		posts = f.receivedPosts()
		if len(posts) != 4 || posts[3].call != posts[2].call || posts[3].header.Get("webhook-id") != posts[2].header.Get("webhook-id") {
			t.Errorf("redelivered %+v", posts)
		}
	})
}

// TestErasedEvent: what is sent after an erasure no longer holds the person's number or words.
func TestErasedEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newEventFixture(t, func(_ *http.Request, n int) (*http.Response, error) {
			if n < 4 {
				return answerStatus(500)
			}
			return answerStatus(200)
		})
		f.addDestination("shop.example")
		f.endCall(f.bookCall())
		defer f.start()()
		time.Sleep(time.Second)
		_, err := f.store.ErasePerson(t.Context(), "bakery", "+966500000001", "test", time.Now())
		f.must(err)
		time.Sleep(time.Hour)
		posts := f.receivedPosts()
		if len(posts) != 8 {
			t.Fatalf("%d posts", len(posts))
		}
		for i, p := range posts {
			if holds := strings.Contains(p.call, "+966500000001"); holds != (i < 4) || i >= 4 && strings.Contains(p.call, "نعم") {
				t.Errorf("post %d is %s", i, p.call)
			}
		}
	})
}

// TestForbiddenDestination: an address that may not be called is refused at each attempt, too, as that of a webhook.
func TestForbiddenDestination(t *testing.T) {
	t.Parallel()
	s := memory.OpenStore()
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "bakery"}, "test"); err != nil {
		t.Fatal(err)
	}
	d := delivery.NewDestination("http://169.254.169.254/latest", delivery.AllEventTypes(), true, time.Now())
	err := s.ChangeDestinations(t.Context(), "bakery", func(b *delivery.DestinationBoard) (store.AuditEntry, error) {
		b.Destinations = append(b.Destinations, d)
		return store.AuditEntry{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	opt := workerOptions(nil, nil)
	opt.Transport = nil
	w := webhook.NewEventWorker(webhook.EventSource{Store: s, Links: &signedurl.SignedLinks{}}, opt)
	state, err := json.Marshal(call.Call{ID: "call_x", OrgID: "bakery"})
	if err != nil {
		t.Fatal(err)
	}
	e := delivery.Event{Type: delivery.CallBooked, OrgID: "bakery", Subject: "call_x", State: state, At: time.Now()}
	if try, outcome := w.TryDelivery(t.Context(), e.DeliverTo(d.ID, "evt_x")); outcome != webhook.Refused {
		t.Errorf("%s: %+v", outcome, try)
	}
}
