package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"munadi/appliance/webhook"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/delivery"
	"munadi/store/job"
)

// finishJob makes a job with a callback and ends it.
func finishJob(t *testing.T, s *badger.BadgerStore, orgID, id string) {
	t.Helper()
	j := job.Job{
		ID: id, OrgID: orgID, Status: job.Queued, CreatedAt: time.Now(),
		Callback: job.NewCallback("https://" + orgID + ".example/" + id),
	}
	if err := s.EnqueueJob(t.Context(), j, job.QueueLimits{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.ClaimJob(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := s.FinishJob(t.Context(), orgID, id, json.RawMessage(`"`+id+`"`), time.Now()); err != nil {
		t.Fatal(err)
	}
}

// startCallbacks runs a worker; stop ends it and waits.
func startCallbacks(t *testing.T, s webhook.CallbackStore, f http.RoundTripper, network webhook.OutboundNetwork) (stop func()) {
	t.Helper()
	w := webhook.NewCallbackWorker(webhook.CallbackOptions{
		Store: s, Transport: f, Network: network, Version: "1.2.3", Log: slog.New(slog.DiscardHandler),
		Body: func(j job.Job) ([]byte, error) {
			if j.ID == "panic" {
				panic("no body")
			}
			return j.Result, nil
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	return func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	}
}

func wantCallback(t *testing.T, s *badger.BadgerStore, orgID, id string, state job.CallbackState, tries int) *job.JobCallback {
	t.Helper()
	j, err := s.FindJob(t.Context(), orgID, id)
	if err != nil || j.Callback.State != state || len(j.Callback.Tries) != tries {
		t.Errorf("%s: %+v, %v; want %s after %d tries", id, j.Callback, err, state, tries)
	}
	return j.Callback
}

// TestCallbacks: three tries two seconds apart, the result as it is in each; a redirect is not followed, a stop between
// tries loses none, a slow receiver holds up no other, and a removed job's callback is not made.
func TestCallbacks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t)
		defer func() { _ = s.Close() }()
		var late atomic.Int32 // tries of that one; both calls of the bakery's host are made at the same moment
		f := newReceivers(func(r *http.Request, _ int) (*http.Response, error) {
			switch {
			case r.URL.Path == "/redirected":
				return &http.Response{StatusCode: 302, Header: http.Header{"Location": {"https://else.example"}}, Body: http.NoBody}, nil
			case r.URL.Host == "slow.example":
				return hangAnswer(r)
			case r.URL.Path == "/late" && late.Add(1) == 1:
				return answerStatus(500)
			}
			return answerStatus(204)
		})
		stop := startCallbacks(t, s, f, webhook.OutboundNetwork{})
		for i := range 20 {
			finishJob(t, s, "slow", fmt.Sprint("slow", i))
		}
		begun := time.Now()
		finishJob(t, s, "bakery", "redirected")
		finishJob(t, s, "bakery", "late")
		finishJob(t, s, "bakery", "panic")
		time.Sleep(time.Second)
		stop()
		finishJob(t, s, "bakery", "removed")
		if _, err := s.RemoveJob(t.Context(), "bakery", "removed"); err != nil {
			t.Fatal(err)
		}
		stop = startCallbacks(t, s, f, webhook.OutboundNetwork{})
		time.Sleep(5 * time.Minute)
		stop()
		wantCallback(t, s, "bakery", "late", job.CallbackDelivered, 2)
		failed := wantCallback(t, s, "bakery", "redirected", job.CallbackFailed, 3)
		if !strings.Contains(failed.Tries[0].Error, "not followed") || failed.Tries[0].StatusCode != 302 {
			t.Errorf("the first try: %+v", failed.Tries[0])
		}
		wantCallback(t, s, "bakery", "panic", job.CallbackFailed, 3)
		for i := range 20 {
			wantCallback(t, s, "slow", fmt.Sprint("slow", i), job.CallbackFailed, 3)
		}
		for _, p := range f.receivedPosts() {
			if p.host == "bakery.example" && p.at.Sub(begun) > 20*time.Second {
				t.Errorf("%s left after %v", p.call, p.at.Sub(begun))
			}
			if p.header.Get("Content-Type") != "application/json" || p.header.Get("User-Agent") != "Munadi/1.2.3" {
				t.Errorf("headers %v", p.header)
			}
		}
	})
}

// fullDisk is a store that cannot record callbacks while it is full.
type fullDisk struct {
	*badger.BadgerStore
	full atomic.Bool
}

func (s *fullDisk) RecordCallback(ctx context.Context, orgID, id string, try job.CallbackTry, now time.Time) error {
	if s.full.Load() {
		return errors.New("no space left on device")
	}
	return s.BadgerStore.RecordCallback(ctx, orgID, id, try, now)
}

// TestCallbackRecordIsRepeated: while its record fails, a callback is not sent again and does not hold up a stop; it is
// sent again after a restart that had no record of it.
func TestCallbackRecordIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fullDisk{BadgerStore: openStore(t)}
		defer func() { _ = s.Close() }()
		f := newReceivers(func(*http.Request, int) (*http.Response, error) { return answerStatus(204) })
		stop := startCallbacks(t, s, f, webhook.OutboundNetwork{})
		s.full.Store(true)
		finishJob(t, s.BadgerStore, "bakery", "one")
		time.Sleep(5 * time.Second)
		s.full.Store(false)
		time.Sleep(time.Minute)
		wantCallback(t, s.BadgerStore, "bakery", "one", job.CallbackDelivered, 1)
		s.full.Store(true)
		finishJob(t, s.BadgerStore, "bakery", "two")
		time.Sleep(time.Minute)
		begun := time.Now()
		stop()
		if took := time.Since(begun); took > time.Second {
			t.Errorf("stopping took %v", took)
		}
		s.full.Store(false)
		stop = startCallbacks(t, s, f, webhook.OutboundNetwork{})
		time.Sleep(time.Minute)
		stop()
		wantCallback(t, s.BadgerStore, "bakery", "two", job.CallbackDelivered, 1)
		if got := f.bodiesOf("bakery.example"); got != `"one" "two" "two"` {
			t.Errorf("posts %s", got)
		}
	})
}

// TestCallbackSigned: with the organization's webhook signed, its callbacks are too.
func TestCallbackSigned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t)
		defer func() { _ = s.Close() }()
		now := time.Now()
		_, _, err := s.ChangeWebhook(t.Context(), "bakery", "user:1", now, func(w *delivery.WebhookSetting) error {
			*w = w.SetSigning(true, now)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		f := newReceivers(func(*http.Request, int) (*http.Response, error) { return answerStatus(200) })
		stop := startCallbacks(t, s, f, webhook.OutboundNetwork{})
		finishJob(t, s, "bakery", "one")
		time.Sleep(time.Second)
		stop()
		if got := f.receivedPosts(); len(got) != 1 || got[0].header.Get("Webhook-Id") != "one" || got[0].header.Get("Webhook-Signature") == "" {
			t.Errorf("got %+v", got)
		}
	})
}

// TestCallbackRefused: an address that may not be called is refused at the connection, whatever was checked before.
func TestCallbackRefused(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	defer func() { _ = s.Close() }()
	j := job.Job{
		ID: "one", OrgID: "bakery", Status: job.Queued, CreatedAt: time.Now(),
		Callback: job.NewCallback("http://169.254.169.254/latest/meta-data"),
	}
	if err := s.EnqueueJob(t.Context(), j, job.QueueLimits{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.ClaimJob(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := s.FailJob(t.Context(), "bakery", "one", job.JobFailure{Code: "x"}, time.Now()); err != nil {
		t.Fatal(err)
	}
	stop := startCallbacks(t, s, nil, webhook.OutboundNetwork{})
	defer stop()
	for {
		got, err := s.FindJob(t.Context(), "bakery", "one")
		if err != nil {
			t.Fatal(err)
		}
		if tries := got.Callback.Tries; len(tries) > 0 {
			if !strings.Contains(tries[0].Error, "may not be called") {
				t.Errorf("the try: %+v", tries[0])
			}
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func openStore(t *testing.T) *badger.BadgerStore {
	t.Helper()
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"bakery", "slow"} {
		if err := s.CreateOrganization(t.Context(), account.Organization{ID: id, Name: id, CreatedAt: time.Now()}, "test"); err != nil {
			t.Fatal(err)
		}
	}
	return s
}
