package trunk_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/trunk"
)

// fakeTrunk refuses every call with an error, or answers with its line.
type fakeTrunk struct {
	name    string
	lines   int
	inUse   int
	refusal error
	paused  *sip.CallPause
	silent  error // of a ping
	noAudio sip.NoAudio
	dialled *[]string
}

func (f *fakeTrunk) Name() string      { return "sip" }
func (f *fakeTrunk) TrunkName() string { return f.name }
func (f *fakeTrunk) Simulated() bool   { return false }
func (f *fakeTrunk) Lines() int        { return f.lines }
func (f *fakeTrunk) FreeLines() int    { return f.lines - f.inUse }

func (f *fakeTrunk) IsTrialDue() bool              { return f.paused != nil }
func (f *fakeTrunk) IncomingLines() int            { return f.lines }
func (f *fakeTrunk) ReceiveCalls(carrier.Receiver) {}

func (f *fakeTrunk) Status() sip.TrunkStatus {
	return sip.TrunkStatus{Name: f.name, Up: f.lines > 0, Paused: f.paused, NoAudio: f.noAudio}
}

func (f *fakeTrunk) PingTrunk(context.Context) (sip.TrunkAnswer, error) {
	return sip.TrunkAnswer{Status: 200, Address: "192.0.2.1:5060 over UDP"}, f.silent
}
func (f *fakeTrunk) SetLines(lines int)        { f.lines = lines }
func (f *fakeTrunk) IsIdle() bool              { return f.inUse == 0 }
func (f *fakeTrunk) Run(context.Context) error { return nil }
func (f *fakeTrunk) Close() error              { return nil }

func (f *fakeTrunk) Dial(context.Context, carrier.DialRequest) (carrier.Line, error) {
	*f.dialled = append(*f.dialled, f.name)
	return nil, f.refusal
}

// refusalByCode returns a refusal with a SIP status.
func refusalByCode(status int) error { return &carrier.DialError{SIPCode: &status} }

// againAfter returns the refusal of a paused trunk.
func againAfter(status int) error {
	return &carrier.DialError{SIPCode: &status, RetryAfter: time.Minute}
}

// TestGroupOrder checks that a call goes to the first trunk that serves its number, and to the next one only if no
// telephone can have rung.
func TestGroupOrder(t *testing.T) {
	t.Parallel()
	silent := &carrier.DialError{Err: errors.New("no answer")}
	for name, test := range map[string]struct {
		number     string
		saudi, any fakeTrunk
		dialled    []string
		again      bool // the call waits
		fails      bool // with an error that is not repeated
	}{
		"the first that serves it":               {number: "+966501234567", saudi: fakeTrunk{lines: 1}, any: fakeTrunk{lines: 1}, dialled: []string{"saudi"}},
		"another destination":                    {number: "+971501234567", saudi: fakeTrunk{lines: 1}, any: fakeTrunk{lines: 1}, dialled: []string{"any"}},
		"an address":                             {saudi: fakeTrunk{lines: 1}, any: fakeTrunk{lines: 1}, dialled: []string{"any"}},
		"an address, the next after 503":         {saudi: fakeTrunk{lines: 1}, any: fakeTrunk{lines: 1, refusal: refusalByCode(503)}, dialled: []string{"any", "saudi"}},
		"the next after 503":                     {number: "+966501234567", saudi: fakeTrunk{lines: 1, refusal: refusalByCode(503)}, any: fakeTrunk{lines: 1}, dialled: []string{"saudi", "any"}},
		"the next after silence":                 {number: "+966501234567", saudi: fakeTrunk{lines: 1, refusal: silent}, any: fakeTrunk{lines: 1}, dialled: []string{"saudi", "any"}},
		"the next where it is full":              {number: "+966501234567", saudi: fakeTrunk{lines: 1, inUse: 1}, any: fakeTrunk{lines: 1}, dialled: []string{"any"}},
		"the next where it is down":              {number: "+966501234567", any: fakeTrunk{lines: 1}, dialled: []string{"any"}},
		"the next where a trial call is refused": {number: "+966501234567", saudi: fakeTrunk{lines: 1, refusal: againAfter(403)}, any: fakeTrunk{lines: 1}, dialled: []string{"saudi", "any"}},
		"no other after 486":                     {number: "+966501234567", saudi: fakeTrunk{lines: 1, refusal: refusalByCode(486)}, any: fakeTrunk{lines: 1}, dialled: []string{"saudi"}, fails: true},
		"no other after 404":                     {number: "+966501234567", saudi: fakeTrunk{lines: 1, refusal: refusalByCode(404)}, any: fakeTrunk{lines: 1}, dialled: []string{"saudi"}, fails: true},
		"no other after a ring":                  {number: "+966501234567", saudi: fakeTrunk{lines: 1, refusal: &carrier.DialError{Rang: true, Err: silent}}, any: fakeTrunk{lines: 1}, dialled: []string{"saudi"}, fails: true},
		"all are full":                           {number: "+966501234567", saudi: fakeTrunk{lines: 1, inUse: 1}, any: fakeTrunk{lines: 2, inUse: 2}, again: true},
		"all are down":                           {number: "+966501234567", again: true},
		"full, and 503":                          {number: "+966501234567", saudi: fakeTrunk{lines: 1, inUse: 1}, any: fakeTrunk{lines: 1, refusal: refusalByCode(503)}, dialled: []string{"any"}, again: true},
		"503 of both":                            {number: "+966501234567", saudi: fakeTrunk{lines: 1, refusal: refusalByCode(503)}, any: fakeTrunk{lines: 1, refusal: refusalByCode(503)}, dialled: []string{"saudi", "any"}, fails: true},
		"asked for a pause, and 503":             {number: "+966501234567", saudi: fakeTrunk{lines: 1, refusal: &carrier.DialError{RetryAfter: time.Minute}}, any: fakeTrunk{lines: 1, refusal: refusalByCode(503)}, dialled: []string{"saudi", "any"}, again: true},
	} {
		var dialled []string
		test.saudi.name, test.any.name = "saudi", "any"
		test.saudi.dialled, test.any.dialled = &dialled, &dialled
		g := trunk.NewGroup(slog.New(slog.DiscardHandler),
			trunk.GroupMember{Trunk: &test.saudi, Prefixes: []string{"+966"}}, trunk.GroupMember{Trunk: &test.any})
		_, err := g.Dial(t.Context(), carrier.DialRequest{Number: test.number})
		refused, isRefusal := errors.AsType[*carrier.DialError](err)
		if !slices.Equal(dialled, test.dialled) || isRefusal != (test.again || test.fails) || isRefusal && (refused.RetryAfter > 0) != test.again {
			t.Errorf("%s: %v dialled, %v", name, dialled, err)
		}
	}
}

// TestNumberThatNoTrunkServes checks that it fails at once, with the remedy.
func TestNumberThatNoTrunkServes(t *testing.T) {
	t.Parallel()
	var dialled []string
	g := trunk.NewGroup(slog.New(slog.DiscardHandler),
		trunk.GroupMember{Trunk: &fakeTrunk{name: "saudi", lines: 1, dialled: &dialled}, Prefixes: []string{"+966"}})
	_, err := g.Dial(t.Context(), carrier.DialRequest{Number: "+971501234567"})
	refused, ok := errors.AsType[*carrier.DialError](err)
	if !ok || refused.RetryAfter > 0 || len(dialled) > 0 {
		t.Errorf("%v, %v dialled", err, dialled)
	}
	if !g.LineAllocator(nil)("+971501234567") {
		t.Error("it waits for ever")
	}
}

// TestRoom checks that lines are used by the numbers that they serve.
func TestRoom(t *testing.T) {
	t.Parallel()
	g := trunk.NewGroup(slog.New(slog.DiscardHandler),
		trunk.GroupMember{Trunk: &fakeTrunk{lines: 2}, Prefixes: []string{"+966"}},
		trunk.GroupMember{Trunk: &fakeTrunk{lines: 1}, Prefixes: []string{"+971", "+9665"}})
	take := g.LineAllocator([]string{"+96611", "+96650"})
	for i, step := range []struct {
		number string
		want   bool
	}{{"+96611", false}, {"+96650", true}, {"+97150", false}, {"+96650", false}} {
		if got := take(step.number); got != step.want {
			t.Errorf("%d: a line for %s: %v", i, step.number, got)
		}
	}
	if g.Lines() != 3 {
		t.Errorf("%d lines", g.Lines())
	}
}

// TestDueTrials checks that a paused trunk is tried with numbers that it serves.
func TestDueTrials(t *testing.T) {
	t.Parallel()
	g := trunk.NewGroup(slog.New(slog.DiscardHandler),
		trunk.GroupMember{Trunk: &fakeTrunk{lines: 1, paused: &sip.CallPause{}}, Prefixes: []string{"+966"}},
		trunk.GroupMember{Trunk: &fakeTrunk{lines: 1}})
	got := g.DueTrials()
	if len(got) != 1 || !got[0]("+966501234567") || got[0]("+971501234567") {
		t.Errorf("%d trunks are tried", len(got))
	}
}
