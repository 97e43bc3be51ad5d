package inboundrouter_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/inboundrouter"
	"munadi/appliance/scheduler"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/inbound"
	"munadi/store/memory"
	"munadi/store/scenario"
	"munadi/store/storetest"
)

// now is a Saturday.
func now() time.Time { return time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC) }

// ringing is a call that rings.
type ringing struct {
	called []string
	caller string
	rang   bool
	status carrier.Refusal
}

func (r *ringing) Called() []string { return r.called }
func (r *ringing) Caller() string   { return r.caller }
func (r *ringing) Ring()            { r.rang = true }

func (r *ringing) Refuse(why carrier.Refusal) { r.status = why }

func (*ringing) Answer(context.Context) (carrier.Line, error) { return nil, carrier.ErrCallerGone }

// desk is a router on a store in memory; it keeps what the dialer and the line table get.
type desk struct {
	*testing.T
	*memory.Store
	limit  int
	full   error
	got    call.Call
	closed string
	rang   bool // when the dialer got the call
}

func (d *desk) Receive(_ context.Context, c call.Call, in carrier.IncomingCall, closed string) error {
	d.got, d.closed, d.rang = c, closed, in.(*ringing).rang
	return nil
}

func (d *desk) RunInbound(_ call.Call, limit int, run func(context.Context)) error {
	if d.full != nil {
		return d.full
	}
	d.limit = limit
	run(d.Context())
	return nil
}

func (d *desk) Scenario(ctx context.Context, orgID, id string) (scenario.Scenario, error) {
	return d.FindScenario(ctx, orgID, id)
}

func openDesk(t *testing.T, change func(*inbound.Settings)) *desk {
	t.Helper()
	d := &desk{T: t, Store: memory.OpenStore()}
	t.Cleanup(func() { _ = d.Close() })
	d.must(d.CreateOrganization(t.Context(), account.Organization{ID: "clinic"}, "test"))
	for _, id := range []string{"visit", "order"} {
		d.must(d.PutScenario(t.Context(), scenario.Scenario{ID: id, OrgID: "clinic"}, "test", now()))
	}
	_, err := d.ChangeInbound(t.Context(), "clinic", "test", now(), func(s *inbound.Settings) error {
		s.Routes = []inbound.Route{{Number: "+966112345678", ScenarioID: "visit", Lines: new(1)}, {Number: "+97*", ScenarioID: "gone"}}
		if change != nil {
			change(s)
		}
		return nil
	})
	d.must(err)
	return d
}

func (d *desk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *desk) setRules(r callrules.CallRules) {
	d.Helper()
	d.must(storetest.ReplaceRules(d.Context(), d.Store, "clinic", r, "test", now()))
}

// take lets a caller call numbers and returns what they heard.
func (d *desk) take(caller string, called ...string) *ringing {
	in := &ringing{called: called, caller: caller}
	d.got, d.closed, d.rang = call.Call{}, "", false
	inboundrouter.NewRouter(inboundrouter.Dependencies{
		Store: d, Scenarios: d, Dialer: d, Lines: d, Limit: func() int { return 7 }, Now: now, Log: slog.New(slog.DiscardHandler),
	}).TakeCall(d.Context(), in)
	return in
}

// TestTakeCall checks that a call gets the scenario of the first of its numbers that has a route, and rings once it is
// stored.
func TestTakeCall(t *testing.T) {
	t.Parallel()
	d := openDesk(t, nil)
	d.setRules(callrules.CallRules{TimeZone: "Asia/Riyadh", KillSwitch: true})
	d.must(d.AddSuppressions(t.Context(), []callrules.SuppressionEntry{{OrgID: "clinic", PhoneNumber: "+966500000007"}}, "test", now()))
	in := d.take("0500000007", "+15550001111", "+966112345678")
	c := d.got
	if in.status != 0 || !in.rang || !d.rang || d.limit != 7 || c.Status != call.Dialing || c.Way() != call.Inbound || c.ScenarioID != "visit" ||
		c.PhoneNumber != "+966500000007" || c.CalledNumber != "+966112345678" || c.Route != "+966112345678" || c.Attempt.PreviousID != nil {
		t.Errorf("heard %+v, got %+v", in, c)
	}
	if stored, err := d.FindCall(t.Context(), "clinic", c.ID); err != nil || stored.Status != call.Dialing {
		t.Errorf("stored %+v, %v", stored, err)
	}
	if in := d.take("0500000007", "+966112345678"); in.status != carrier.RefuseBusy || in.rang {
		t.Errorf("beyond the route's line: %+v", in)
	}
}

// TestCallersNumber checks how callers' numbers are read.
func TestCallersNumber(t *testing.T) {
	t.Parallel()
	d := openDesk(t, func(s *inbound.Settings) { s.Routes[0].Lines = nil })
	d.setRules(callrules.CallRules{TimeZone: "Asia/Riyadh"})
	for given, want := range map[string]string{
		"+966500000007": "+966500000007", "0500000007": "+966500000007", "500000007": "+966500000007", "00966500000007": "+966500000007",
		"966500000007": "+966500000007", "0097141234567": "+97141234567", "97141234567": "+97141234567", "": "", "911": "", "1000": "",
	} {
		if in := d.take(given, "+966112345678"); in.status != 0 || d.got.PhoneNumber != want {
			t.Errorf("%q became %q, status %d", given, d.got.PhoneNumber, in.status)
		}
	}
}

// TestRefusals checks what callers hear whose call is not taken.
func TestRefusals(t *testing.T) {
	t.Parallel()
	d := openDesk(t, nil)
	for _, c := range []struct {
		called string
		full   error
		want   carrier.Refusal
	}{
		{"+15550001111", nil, carrier.RefuseUnrouted},
		{"+97141234567", nil, carrier.RefuseUnavailable},
		{"+966112345678", scheduler.ErrNoLine, carrier.RefuseOverload},
		{"+966112345678", scheduler.ErrNotReady, carrier.RefuseOverload},
	} {
		d.full = c.full
		if in := d.take("", c.called); in.status != c.want || d.got.ID != "" {
			t.Errorf("%s, %v: heard %d, got %+v", c.called, c.full, in.status, d.got)
		}
	}
	d.full = nil
	if in := d.take(""); in.status != carrier.RefuseUnrouted {
		t.Errorf("without a number: heard %d", in.status)
	}
	d.must(d.Close())
	if in := d.take("", "+966112345678"); in.status != carrier.RefuseOverload {
		t.Errorf("without a store: heard %d", in.status)
	}
}

// TestFollowUp checks that a caller whom the organization called gets that call's scenario, version and variables, as
// long as the scenario exists and the days are not over.
func TestFollowUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		days   int
		before time.Duration
		delete bool
		follow bool
	}{
		"follows up": {1, 23 * time.Hour, false, true}, "too late": {1, 25 * time.Hour, false, false}, "never": {0, time.Hour, false, false},
		"scenario deleted": {1, time.Hour, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openDesk(t, func(s *inbound.Settings) { s.CallbackDays = c.days })
			at := now().Add(-c.before)
			out := call.Call{
				ID: call.NewID(), OrgID: "clinic", Status: call.Scheduled, PhoneNumber: "+966500000007", ScenarioID: "order", CreatedAt: at,
				ScheduledAt: at, Variables: map[string]any{"name": "سارة"}, Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: "x"},
			}
			_, err := d.BookCall(t.Context(), out, "test", nil)
			d.must(err)
			_, err = d.ReleaseCall(t.Context(), "clinic", out.ID, at)
			d.must(err)
			_, err = d.FinishCall(t.Context(), "clinic", out.ID, call.CallOutcome{Status: call.NoAnswer, ScenarioVersion: 1}, nil, at)
			d.must(err)
			if c.delete {
				d.must(d.DeleteScenario(t.Context(), "clinic", "order", "test", now()))
			}
			d.take("+966500000007", "+966112345678")
			if follows := d.got.Attempt.PreviousID != nil; follows != c.follow {
				t.Fatalf("got %+v", d.got)
			}
			if c.follow && (*d.got.Attempt.PreviousID != out.ID || d.got.ScenarioID != "order" || d.got.ScenarioVersion != 1 || d.got.Variables["name"] != "سارة") {
				t.Errorf("got %+v", d.got)
			}
			if !c.follow && (d.got.ScenarioID != "visit" || d.got.Variables != nil) {
				t.Errorf("got %+v", d.got)
			}
		})
	}
}

// TestClosedHours checks that the closed line is spoken outside calling hours, and that without one these do not matter.
func TestClosedHours(t *testing.T) {
	t.Parallel()
	hours := func(day callrules.Weekday, from, to string) callrules.CallRules {
		return callrules.CallRules{CallingHours: callrules.CallingHours{day: {{From: from, To: to}}}}
	}
	for _, c := range []struct {
		rules  callrules.CallRules
		closed string
		want   string
	}{
		{hours("saturday", "09:00", "10:00"), "مغلق", ""},
		{hours("saturday", "10:00", "11:00"), "مغلق", "مغلق"},
		{hours("saturday", "10:00", "11:00"), "", ""},
		{callrules.CallRules{}, "مغلق", ""},
	} {
		d := openDesk(t, func(s *inbound.Settings) { s.Closed = c.closed })
		d.setRules(c.rules)
		if in := d.take("+966500000007", "+966112345678"); in.status != 0 || d.got.ID == "" || d.closed != c.want {
			t.Errorf("%+v: heard %d, closed line %q", c, in.status, d.closed)
		}
	}
}

// TestOrganizationsLimit checks that the organization's limit of calls counts inbound ones, too.
func TestOrganizationsLimit(t *testing.T) {
	t.Parallel()
	d := openDesk(t, func(s *inbound.Settings) { s.Routes[0].Lines = nil })
	d.setRules(callrules.CallRules{MaxConcurrent: 1})
	for _, want := range []carrier.Refusal{0, carrier.RefuseBusy} {
		if in := d.take("", "+966112345678"); in.status != want {
			t.Errorf("heard %d, want %d", in.status, want)
		}
	}
}
