package replayer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/recognizer"
	"munadi/appliance/replayer"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/memory"
	"munadi/store/replay"
	"munadi/store/scenario"
)

// bench is an organization with completed calls of 5 s, of which some have no recording.
type bench struct {
	*testing.T
	store   store.Store
	cases   *service.UseCases
	held    atomic.Int64
	now     time.Time
	stopAt  int64 // the conversation at which the process stops; 0: none
	process context.CancelFunc
}

func newBench(t *testing.T, calls, withSound int) *bench {
	t.Helper()
	s := memory.OpenStore()
	t.Cleanup(func() { _ = s.Close() })
	b := &bench{T: t, store: s, now: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)}
	b.must(s.CreateOrganization(t.Context(), account.Organization{ID: "acme", Name: "acme"}, "test"))
	b.must(s.CreateOrganization(t.Context(), account.Organization{ID: "other", Name: "other"}, "test"))
	folder, err := blob.OpenFolder(t.TempDir())
	b.must(err)
	b.cases = &service.UseCases{
		Store: s, Recordings: folder, Now: func() time.Time { return b.now },
		BuiltIn: func() []scenario.Scenario {
			return []scenario.Scenario{{ID: "visit", Status: scenario.PublishedStatus, Name: "visit"}}
		},
	}
	for i := range calls {
		c := call.Call{
			ID: call.NewID(), OrgID: "acme", Status: call.Scheduled, PhoneNumber: "+966500000001", ScenarioID: "visit",
			Booking: call.Immediate, CreatedAt: b.now, ScheduledAt: b.now, Attempt: call.AttemptChain{Number: 1, Max: 1},
		}
		c.Attempt.ChainID = c.ID
		_, err := s.BookCall(t.Context(), c, "test", nil)
		b.must(err)
		_, err = s.ReleaseCall(t.Context(), "acme", c.ID, b.now)
		b.must(err)
		_, err = s.AnswerCall(t.Context(), "acme", c.ID, "", b.now)
		b.must(err)
		o := call.CallOutcome{Status: call.Completed, Report: json.RawMessage(`{"ok":true}`)}
		if i < withSound {
			name := blob.RecordingName("acme", c.ID)
			file, err := folder.CreateRecording(name)
			b.must(err)
			b.must(errors.Join(file.AppendFrames(make([]int16, 5*blob.Rate), make([]int16, 5*blob.Rate)), file.Close()))
			o.Recording, o.RecordingSum = name, file.Sum()
		}
		_, err = s.FinishCall(t.Context(), "acme", c.ID, o, nil, b.now)
		b.must(err)
	}
	return b
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// work runs a worker until nothing is pending, or the process stops.
func (b *bench) work() {
	b.Helper()
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	b.process = stop
	w := &replayer.Worker{
		Store: b.store, FindVersion: b.cases.ReplayedVersion, OpenRecording: b.cases.OpenRecording, Alone: true,
		Log: slog.New(slog.DiscardHandler), Hold: b.hold,
	}
	if err := w.ReplayPending(ctx); err != nil && ctx.Err() == nil {
		b.Error(err)
	}
}

// hold is a conversation whose every third report is another.
func (b *bench) hold(
	ctx context.Context, _ rehearsal.Request, _ *recognizer.Recognizer,
) (rehearsal.Outcome, error) {
	n := b.held.Add(1)
	if n == b.stopAt {
		b.process()
		<-ctx.Done()
	}
	out := rehearsal.Outcome{Status: call.Completed, Report: json.RawMessage(`{"ok":true}`)}
	if n%3 == 0 {
		out.Report = json.RawMessage(`{"ok":false}`)
	}
	return out, ctx.Err()
}

func (b *bench) start() replay.Replay {
	b.Helper()
	r, err := b.cases.StartReplay(b.Context(), service.Caller{OrgID: "acme", Actor: "user:1"}, service.ReplayRequest{
		ScenarioID: "visit", From: b.now.Add(-time.Hour), To: b.now.Add(time.Hour),
	}, nil)
	b.must(err)
	return r
}

func (b *bench) find(id string) replay.Replay {
	b.Helper()
	r, err := b.cases.FindReplay(b.Context(), "acme", id)
	b.must(err)
	return r
}

// TestReplayGoesOn checks that a replay that stops in the middle of a page goes on, that two take turns, and that each
// call is counted once; calls without a recording are counted by name.
func TestReplayGoesOn(t *testing.T) {
	t.Parallel()
	b := newBench(t, 50, 45)
	one, two := b.start(), b.start()
	b.stopAt = 13
	b.work()
	if r := b.find(one.ID); r.State != replay.Running || r.Counts.Replayed() >= 50 {
		t.Errorf("stopped as %+v", r)
	}
	b.work()
	for _, id := range []string{one.ID, two.ID} {
		r := b.find(id)
		page, err := b.store.ListReplayResults(t.Context(), "acme", id, "", 200, "")
		if err != nil || r.State != replay.Done || r.Total != 50 || r.Counts.Replayed() != 50 || len(page.Items) != 50 ||
			r.Counts.Problems[replay.RecordingGone] != 5 || r.Counts.Changed == 0 {
			t.Errorf("%+v, %d results, %v", r, len(page.Items), err)
		}
	}
}

// TestReplayFailureIsLogged checks that a failure of one organization's replay is logged while another's goes on, and that
// it is tried again.
func TestReplayFailureIsLogged(t *testing.T) {
	t.Parallel()
	b := newBench(t, 3, 3)
	b.start()
	_, err := b.store.ChangeReplays(t.Context(), "other", func(board *replay.Board) (store.AuditEntry, error) {
		board.AddReplay(replay.Replay{ID: "failing", ScenarioID: "visit"})
		return store.AuditEntry{}, nil
	})
	b.must(err)
	var logged bytes.Buffer
	failed := false
	w := &replayer.Worker{
		Store: b.store, OpenRecording: b.cases.OpenRecording, Hold: b.hold, Log: slog.New(slog.NewTextHandler(&logged, nil)),
		FindVersion: func(ctx context.Context, orgID string, r replay.Replay) (scenario.Scenario, bool, error) {
			if orgID == "other" && !failed {
				failed = true
				return scenario.Scenario{}, false, errors.New("the disk does not answer")
			}
			return b.cases.ReplayedVersion(ctx, orgID, r)
		},
	}
	b.must(w.ReplayPending(t.Context()))
	board, err := b.store.FindReplays(t.Context(), "other")
	b.must(err)
	if r := board.FindReplay("failing"); r.State != replay.Done || !strings.Contains(logged.String(), "the disk does not answer") {
		t.Errorf("%s, log: %s", r.State, &logged)
	}
}

// TestReplayOfNothing checks a replay over no calls, one that is paused, one whose scenario's version is gone, and one
// of another organization.
func TestReplayOfNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0, 0)
	none := b.start()
	paused := b.start()
	who := service.Caller{OrgID: "acme", Actor: "user:1"}
	if _, err := b.cases.PauseReplay(t.Context(), who, paused.ID); err != nil {
		t.Error(err)
	}
	_, err := b.store.ChangeReplays(t.Context(), "acme", func(board *replay.Board) (store.AuditEntry, error) {
		board.AddReplay(replay.Replay{ID: "gone", ScenarioID: "visit", Version: 7})
		return store.AuditEntry{}, nil
	})
	b.must(err)
	b.work()
	if b.find(none.ID).State != replay.Done || b.find(paused.ID).State != replay.Paused || b.find("gone").Broken != replay.VersionGone {
		t.Errorf("%+v %+v %+v", b.find(none.ID), b.find(paused.ID), b.find("gone"))
	}
	if _, err := b.cases.PauseReplay(t.Context(), service.Caller{OrgID: "other"}, none.ID); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("another organization: %v", err)
	}
	var ended *service.ConflictError
	if _, err := b.cases.ResumeReplay(t.Context(), who, none.ID); !errors.As(err, &ended) {
		t.Errorf("an ended one: %v", err)
	}
}
