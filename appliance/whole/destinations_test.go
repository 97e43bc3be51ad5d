package whole_test

import (
	"net/http"
	"os/exec"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// addDestination adds a destination of events at a receiver, and returns it with its secret.
func (a *testInstance) addDestination(t *testing.T, r *webhookReceiver, events ...string) jsonObject {
	t.Helper()
	return a.requestAPI(t, http.MethodPost, "/destinations", jsonObject{"url": r.URL, "events": events}).
		wantStatus(t, http.StatusCreated).successData(t)
}

// awaitEvents returns the positions of the posts of a receiver about a subject, once there are as many as wanted.
func (r *webhookReceiver) awaitEvents(t *testing.T, subject string, n int) (at []int) {
	t.Helper()
	deadline := time.After(conversation)
	for {
		r.mu.Lock()
		grew := r.grew
		at = nil
		for i, body := range r.got {
			if body.textAt("data", "id") == subject {
				at = append(at, i)
			}
		}
		r.mu.Unlock()
		if len(at) >= n {
			return at
		}
		select {
		case <-grew:
		case <-deadline:
			t.Fatalf("%d of %d events of %s came", len(at), n, subject)
		}
	}
}

// TestEventsOfACall checks that the events of a call come in order, signed so that an independent library verifies them,
// the last with the call as GET answers it; that the log has them, and that one can be redelivered.
func TestEventsOfACall(t *testing.T) {
	t.Parallel()
	python := projectPath(t, ".cache/venv/bin/python")
	if exec.Command(python, "-c", "import standardwebhooks").Run() != nil {
		skipOrFail(t, "no standardwebhooks package in .cache/venv: packaging/setup test")
	}
	a := startFastCalls(t, instanceSettings{})
	r := newReceiver(t, nil)
	to := a.addDestination(t, r, "call.booked", "call.dialing", "call.failed")
	id := a.bookQuickCall(t)
	at := r.awaitEvents(t, id, 3)
	var types []string
	for _, i := range at {
		body, head := r.got[i], r.heads[i]
		types = append(types, body.textAt("type"))
		if head.Get("Webhook-Id") != body.textAt("id") {
			t.Errorf("webhook-id %s of %v", head.Get("Webhook-Id"), body)
		}
		checkTimestamp(t, "timestamp", body.textAt("timestamp"))
		if got := verifySignature(t, python, to.textAt("secret"), head, r.bodies[i]); got != "good" {
			t.Errorf("the signature is %s", got)
		}
	}
	if !slices.Equal(types, []string{"call.booked", "call.dialing", "call.failed"}) {
		t.Errorf("events %v", types)
	}
	last := r.got[at[2]]
	if diff := cmp.Diff(map[string]any(a.fetchCall(t, id)), last.valueAt("data")); diff != "" {
		t.Errorf("the call by GET (-) and in its last event (+):\n%s", diff)
	}
	log := "/destinations/" + to.textAt("id") + "/deliveries"
	for len(a.requestAPI(t, http.MethodGet, log+"?state=delivered", nil).wantStatus(t, 200).jsonBody(t)["data"].([]any)) < 3 {
		time.Sleep(20 * time.Millisecond) // the answer is recorded after it came
	}
	again := a.requestAPI(t, http.MethodPost, log+"/"+last.textAt("id")+"/redeliver", nil)
	again.wantStatus(t, http.StatusAccepted)
	if all := r.awaitEvents(t, id, 4); r.bodies[all[3]] != r.bodies[at[2]] {
		t.Errorf("redelivered are other bytes:\n%s\n%s", r.bodies[all[3]], r.bodies[at[2]])
	}
}

// TestEventCutByAKill checks that an event whose attempt is cut off by a kill comes again, with the same id and bytes.
func TestEventCutByAKill(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	var answers atomic.Bool
	r := newReceiver(t, func(_ http.ResponseWriter, req *http.Request) {
		if !answers.Load() {
			<-req.Context().Done()
		}
	})
	a.addDestination(t, r, "call.booked", "call.failed")
	id := a.bookQuickCall(t)
	a.awaitEnded(t, id)
	first := r.awaitEvents(t, id, 1)[0]
	a.killProcess(t)
	answers.Store(true)
	b := startFastCalls(t, instanceSettings{data: a.Data, noKey: true})
	at := r.awaitEvents(t, id, 3)
	if r.bodies[at[1]] != r.bodies[first] || r.heads[at[1]].Get("Webhook-Id") != r.heads[first].Get("Webhook-Id") {
		t.Errorf("after the kill %s comes instead of %s", r.bodies[at[1]], r.bodies[first])
	}
	if got := r.got[at[2]].textAt("type"); got != "call.failed" {
		t.Errorf("then %s comes\n%s", got, b.log.lastLines())
	}
}
