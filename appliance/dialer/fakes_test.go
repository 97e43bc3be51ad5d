package dialer_test

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/dialer"
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// singleCallStore is a store with one call.
type singleCallStore struct {
	mu         sync.Mutex
	call       call.Call
	rules      callrules.CallRules
	suppress   *callrules.SuppressionEntry
	woken      chan struct{}
	fail       func(fact string) error // nil: nothing fails
	missing    bool                    // the scenario
	failsReads bool                    // fail holds for rules, too
	named      string                  // the recording, at the answer
	plan       scenario.Scenario
	tries      map[string]int
	forbidden  call.FailureReason // of a call to the person of a call-back
	note       string             // of the timeline, where the call was put back
}

func newBooks() *singleCallStore {
	return &singleCallStore{
		call:  call.Call{ID: "call_1", OrgID: "default", Status: call.Dialing, PhoneNumber: "+966501234567", ScenarioID: "s"},
		woken: make(chan struct{}, 1), plan: scenario.Scenario{RingSeconds: 20, MaxDurationSeconds: 60},
	}
}

// applyFact applies one change to the call.
func (b *singleCallStore) applyFact(name string, fact func() error) (call.Call, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		if err := b.fail(name); err != nil {
			return call.Call{}, err
		}
	}
	err := fact()
	return b.call, err
}

func (b *singleCallStore) FindCall(context.Context, string, string) (call.Call, error) {
	return b.applyFact("call", func() error { return nil })
}

func (b *singleCallStore) FindRules(context.Context, string) (callrules.CallRules, error) {
	if !b.failsReads {
		return b.rules, nil
	}
	_, err := b.applyFact("rules", func() error { return nil })
	return b.rules, err
}

func (b *singleCallStore) DialPerson(_ context.Context, _, _ string, now time.Time) (call.FailureReason, error) {
	_, err := b.applyFact("dial person", func() (err error) {
		if b.forbidden == "" {
			b.call, err = b.call.DialPerson(now)
		}
		return err
	})
	return b.forbidden, err
}

func (b *singleCallStore) AnswerCall(_ context.Context, _, _, recording string, now time.Time) (call.Call, error) {
	return b.applyFact("answer", func() (err error) {
		b.call, err = b.call.MarkAnswered(now)
		b.call.Recording, b.named = recording, recording
		return err
	})
}

func (b *singleCallStore) ReturnCall(
	_ context.Context, _, _ string, at time.Time, why string, _ time.Time,
) (call.Call, error) {
	return b.applyFact("return", func() (err error) {
		if b.call, err = b.call.ReturnToSchedule(at); err != nil {
			return store.Errorf(store.CodeConflict, "%v", err)
		}
		b.note = why
		return nil
	})
}

func (b *singleCallStore) FinishCall(
	_ context.Context, _, _ string, o call.CallOutcome, s *callrules.SuppressionEntry, now time.Time,
) (call.Call, error) {
	return b.applyFact("finish", func() (err error) {
		b.call, err = b.call.EndWith(o, now)
		b.suppress = s
		return err
	})
}

func (b *singleCallStore) FindFollowed(_ context.Context, c call.Call) (*call.FollowedCall, error) {
	if c.Attempt.PreviousID == nil {
		return nil, nil
	}
	return &call.FollowedCall{Talk: b.call}, nil
}

func (b *singleCallStore) ScenarioVersion(_ context.Context, _, _ string, version int) (scenario.Scenario, error) {
	if b.missing {
		return scenario.Scenario{}, store.Errorf(store.CodeNotFound, "no scenario")
	}
	plan := b.plan
	if version > 0 {
		plan.Version = version
	}
	return plan, nil
}

func (b *singleCallStore) WatchKind(store.ChangeKind) (<-chan struct{}, func()) {
	return b.woken, func() {}
}

// askHangup requests a hang-up.
func (b *singleCallStore) askHangup() {
	_, _ = b.applyFact("hangup", func() error { now := time.Now(); b.call.HangupAt = &now; return nil })
	select {
	case b.woken <- struct{}{}:
	default:
	}
}

// fakeNetwork answers with a line, or refuses.
type fakeNetwork struct {
	line    *countingLine
	refusal error
	rings   time.Duration // until either
	got     carrier.DialRequest
	panics  bool
	staff   *countingLine // who answers calls to staff; nil: nobody does
	numbers []string      // dialled, in order
}

func (*fakeNetwork) Name() string    { return "fake" }
func (*fakeNetwork) Simulated() bool { return true }
func (*fakeNetwork) Lines() int      { return 1 }

func (n *fakeNetwork) Dial(ctx context.Context, r carrier.DialRequest) (carrier.Line, error) {
	if n.panics {
		panic("no network")
	}
	n.numbers = append(n.numbers, cmp.Or(r.Address, r.Number))
	if r.Staff {
		if n.staff == nil {
			return nil, &carrier.DialError{RingTimeout: true, Rang: true}
		}
		n.staff.hung = make(chan struct{})
		return n.staff, nil
	}
	n.got = r
	r.ReportShown(r.Caller)
	select {
	case <-time.After(n.rings):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if n.line == nil {
		return nil, n.refusal
	}
	n.line.hung = make(chan struct{})
	return n.line, nil
}

// countingLine is a line whose other side sends numbers: sample i of frame n is n. It runs by the clock.
type countingLine struct {
	frames int // after which the other side hangs up; 0: never
	stuck  bool

	n    int
	once sync.Once
	hung chan struct{}
}

func (w *countingLine) Next(ctx context.Context) (carrier.Frame, error) {
	tick := time.After(carrier.Tick)
	if w.stuck {
		tick = nil
	}
	select {
	case <-w.hung:
		return carrier.Frame{}, carrier.ErrHungUp
	default:
	}
	if w.frames > 0 && w.n == w.frames {
		return carrier.Frame{}, io.EOF
	}
	select {
	case <-tick:
	case <-w.hung:
		return carrier.Frame{}, carrier.ErrHungUp
	case <-ctx.Done():
		return carrier.Frame{}, ctx.Err()
	}
	f := carrier.Frame{At: time.Duration(w.n) * carrier.Tick}
	w.n++
	for i := range f.In {
		f.In[i], f.Out[i] = int16(w.n), int16(-w.n)
	}
	return f, nil
}

func (*countingLine) Say(carrier.Speech)                     {}
func (*countingLine) Flush()                                 {}
func (*countingLine) Queued() time.Duration                  { return 0 }
func (*countingLine) Transfer(context.Context, string) error { return nil }
func (w *countingLine) Hangup()                              { w.once.Do(func() { close(w.hung) }) }

// scriptedTalk is a scripted conversation.
type scriptedTalk func(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error)

func (t scriptedTalk) Converse(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
	return t(ctx, c)
}

// listenFrames reads n frames, or all, and then returns.
func listenFrames(frames int, o call.CallOutcome) scriptedTalk {
	return func(ctx context.Context, c dialer.ConversationInput) (dialer.TalkResult, error) {
		for n := 0; frames == 0 || n < frames; n++ {
			if _, err := c.Line.Next(ctx); err != nil {
				return dialer.TalkResult{Outcome: o}, nil //nolint:nilerr // the line is over
			}
		}
		return dialer.TalkResult{Outcome: o}, nil
	}
}

// dialerFixture is a dialer with fakes of its dependencies.
type dialerFixture struct {
	*singleCallStore
	net    *fakeNetwork
	folder *blob.RecordingFolder
	deps   dialer.Dependencies
}

func newBench(t testing.TB, talk scriptedTalk) *dialerFixture {
	t.Helper()
	folder, err := blob.OpenFolder(filepath.Join(t.TempDir(), "recordings"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	b := &dialerFixture{singleCallStore: newBooks(), net: &fakeNetwork{line: &countingLine{}}, folder: folder}
	b.deps = dialer.Dependencies{
		Carrier: b.net, Store: b.singleCallStore, Scenarios: b.singleCallStore, Talker: talk, Recordings: dialer.KeptIn(folder),
		Log: slog.New(slog.DiscardHandler),
	}
	return b
}

func (b *dialerFixture) runCall(ctx context.Context, t testing.TB) call.Call {
	t.Helper()
	if err := dialer.NewDialer(b.deps).Run(ctx, b.call); err != nil {
		t.Fatal(err)
	}
	return b.call
}
