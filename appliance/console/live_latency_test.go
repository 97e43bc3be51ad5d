package console_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"munadi/appliance/console"
	"munadi/store/account"
	"munadi/store/live"
)

// latencyMicrophone records the latency of the session that it starts.
type latencyMicrophone struct {
	fakeLive
	latency *time.Duration
}

func (m latencyMicrophone) StartSession(ctx context.Context, orgID, by, device string, latency time.Duration) (live.LiveSession, error) {
	*m.latency = latency
	return m.fakeLive.StartSession(ctx, orgID, by, device, latency)
}

// TestLiveLatencyChoice checks that the live page offers the latencies of a streaming model and none with other models;
// values that are not offered select the default.
func TestLiveLatencyChoice(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]time.Duration{"80": 80 * time.Millisecond, "5": 0, "x": 0} {
		var offered []time.Duration
		got := time.Hour
		d := newCallBench(t, func(deps *console.Dependencies) {
			deps.Live.Sessions = latencyMicrophone{fakeLive{deps.Store, deps.Now()}, &got}
			deps.Live.Microphones = func(context.Context) ([]string, error) { return []string{"Desk"}, nil }
			deps.Live.Latencies = func() []time.Duration { return offered }
		})
		if page := d.getPage(account.Operator, "/live").wantStatus(200).Body.String(); strings.Contains(page, `name="latency"`) {
			t.Error("a choice without a streaming model")
		}
		offered = []time.Duration{1120 * time.Millisecond, 80 * time.Millisecond}
		page := d.getPage(account.Operator, "/live").wantStatus(200).Body.String()
		if strings.Count(page, `name="latency"`) != 2 || !strings.Contains(page, `value="80"`) {
			t.Error("the choice is not offered for both microphones")
		}
		d.postForm(account.Operator, "/live/start", url.Values{"latency": {typed}}).wantStatus(http.StatusSeeOther)
		if got != want {
			t.Errorf("latency %q starts with %v, want %v", typed, got, want)
		}
	}
}
