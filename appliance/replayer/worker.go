// Package replayer replays recorded calls: it holds their conversations again with a version of the scenario and a
// speech model, and stores what came out otherwise. The person's sound is that of the recording; the platform's voice
// is silence of the pace that it had; the line's frames are the clock, so that a replay takes no longer than the
// recognizer. It is near to the call, not equal: the same sound at another distance may be heard otherwise. Calls that
// take place go first, see [engine.StreamOptions].
//
// It writes the results into the store only. Package store/replay documents how it survives a crash.
package replayer

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"munadi/appliance/conversation/rehearsal"
	"munadi/appliance/recognizer"
	"munadi/engine/processors"
	"munadi/store"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/replay"
	"munadi/store/scenario"
)

const (
	pageCalls = 20 // calls of a page
	pause     = 2 * time.Second
	maxSound  = 20 * time.Minute // of a call; the rest is left out
	// holdTime is the longest time for one call, less than the worker's claim. A conversation is bounded by its line's
	// time, so that only waiting for live speech takes that long; then it is tried again.
	holdTime = replay.ClaimTime - 2*time.Minute
)

// Store is the part of the store that the worker uses.
type Store interface {
	PendingReplays(ctx context.Context) ([]string, error)
	ChangeReplays(
		ctx context.Context, orgID string, change func(*replay.Board) (store.AuditEntry, error),
	) (replay.Board, error)
	AddReplayResult(ctx context.Context, orgID, id, claim string, r replay.Result, now time.Time) error
	CallsPage(ctx context.Context, orgID string, f store.CallFilter) (store.ListPage[call.Call], error)
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
	FindFollowed(ctx context.Context, c call.Call) (*call.FollowedCall, error)
}

// Worker replays the calls of all organizations, a page at a time, so that several replays take turns. Each appliance
// has one; the replays of a dead appliance are continued by the others.
type Worker struct {
	Store Store
	// FindVersion returns the version of a scenario that a replay tries; false if it is no longer kept.
	FindVersion func(ctx context.Context, orgID string, r replay.Replay) (scenario.Scenario, bool, error)
	// OpenRecording opens the verified recording of a call: [blob.ErrDamaged] if it is not the one that was written,
	// [fs.ErrNotExist] if it is gone.
	OpenRecording func(ctx context.Context, c call.Call) (blob.RecordingFile, error)
	// Hold holds a conversation with a recognizer; nil is the one that serves.
	Hold func(ctx context.Context, q rehearsal.Request, ears *recognizer.Recognizer) (rehearsal.Outcome, error)
	// OpenModel opens an installed speech model.
	OpenModel func(name string) (*recognizer.Recognizer, error)
	// Alone means that no other appliance shares the store: all claims are of this process or of its last run.
	Alone bool
	// Publish notifies open pages of the progress of a replay; may be nil.
	Publish func(orgID, id string)
	Log     *slog.Logger

	last  map[string]string // the replay that had the last turn, by organization
	model string            // that is open
	ears  *recognizer.Recognizer
}

// Run replays until ctx ends. Failures are retried.
func (w *Worker) Run(ctx context.Context) error {
	for {
		if err := w.ReplayPending(ctx); err != nil && ctx.Err() == nil {
			w.Log.Warn("a replay of calls was interrupted and will be retried", "err", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// ReplayPending goes on with the running replays until none is left; organizations take turns. The other model that is
// open is closed at the end.
func (w *Worker) ReplayPending(ctx context.Context) error {
	defer w.closeModel()
	for {
		orgIDs, err := w.Store.PendingReplays(ctx)
		worked := false
		for _, orgID := range orgIDs {
			found, failed := w.replayPage(ctx, orgID)
			worked, err = worked || found && failed == nil, errors.Join(err, failed)
		}
		if !worked || ctx.Err() != nil {
			return err
		}
		if err != nil {
			w.Log.Warn("a replay of calls was interrupted and will be retried", "err", err)
		}
	}
}

// page is a page of calls that is replayed now.
type page struct {
	*Worker
	orgID, claim string
	replay       replay.Replay
	plan         scenario.Scenario
}

// replayPage replays the next page of an organization; false if nothing is left to do here.
func (w *Worker) replayPage(ctx context.Context, orgID string) (found bool, err error) {
	p := page{Worker: w, orgID: orgID, claim: uuid.NewString()}
	_, err = w.Store.ChangeReplays(ctx, orgID, func(b *replay.Board) (store.AuditEntry, error) {
		p.replay, found = b.ClaimReplay(w.last[orgID], p.claim, w.Alone, time.Now().UTC())
		return store.AuditEntry{}, nil
	})
	if err != nil || !found {
		return found, err
	}
	if w.last == nil {
		w.last = map[string]string{}
	}
	w.last[orgID] = p.replay.ID
	defer p.publish()
	why, err := p.prepare(ctx)
	if err != nil {
		return true, errors.Join(err, p.release(ctx))
	}
	if why != "" {
		return true, p.update(ctx, func(b *replay.Board, now time.Time) bool {
			return b.BreakReplay(p.replay.ID, p.claim, why, now)
		})
	}
	next, err := p.replayCalls(ctx)
	if store.CodeOf(err) == store.CodeConflict { // paused or deleted meanwhile
		return true, nil
	}
	if err != nil {
		return true, errors.Join(err, p.release(ctx))
	}
	return true, p.update(ctx, func(b *replay.Board, now time.Time) bool {
		return b.FinishPage(p.replay.ID, p.claim, next, now)
	})
}

// prepare finds the version of the scenario and opens the model; why says that the replay cannot go on.
func (p *page) prepare(ctx context.Context) (why replay.Problem, err error) {
	plan, known, err := p.FindVersion(ctx, p.orgID, p.replay)
	if err != nil || !known {
		return replay.VersionGone, err
	}
	p.plan = plan
	p.plan.OrgID = p.orgID
	if p.replay.Model == p.model && (p.ears != nil || p.model == "") {
		return "", nil
	}
	p.closeModel()
	if p.replay.Model == "" {
		return "", nil
	}
	ears, err := p.OpenModel(p.replay.Model)
	if err != nil {
		p.Log.Warn("the speech model of a replay cannot be opened", "model", p.replay.Model, "err", err)
		return replay.ModelGone, nil
	}
	p.model, p.ears = p.replay.Model, ears
	return "", nil
}

func (w *Worker) closeModel() {
	if w.ears != nil {
		if err := w.ears.Close(); err != nil {
			w.Log.Warn("the speech model of a replay was not closed cleanly", "err", err)
		}
	}
	w.ears, w.model = nil, ""
}

// replayCalls replays the calls of the page, as many at once as there are processors.
func (p *page) replayCalls(ctx context.Context) (next string, err error) {
	f := store.ReplayFilter(p.replay)
	f.Limit = pageCalls
	calls, err := p.Store.CallsPage(ctx, p.orgID, f)
	if err != nil {
		return "", err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(processors.CountProcessors())
	for _, c := range calls.Items {
		group.Go(func() error {
			r, gone, err := p.replayCall(ctx, c.ID)
			if err != nil || gone {
				return err
			}
			err = p.Store.AddReplayResult(ctx, p.orgID, p.replay.ID, p.claim, r, time.Now().UTC())
			if err == nil {
				p.publish()
			}
			return err
		})
	}
	return calls.Next, group.Wait()
}

// replayCall replays a call; gone means that its texts were removed, so that it has no result.
func (p *page) replayCall(ctx context.Context, id string) (r replay.Result, gone bool, err error) {
	c, err := p.Store.FindCall(ctx, p.orgID, id)
	if err != nil {
		return r, false, err
	}
	if c.ErasedAt != nil || len(c.Messages) == 0 && len(c.Report) == 0 {
		return r, true, nil
	}
	skip := func(why replay.Problem) (replay.Result, bool, error) {
		return replay.Result{
			CallID: id, State: replay.Skipped, Problem: why, OldStatus: string(c.Status), OldTurns: countTurns(c.Messages),
		}, false, nil
	}
	if slices.ContainsFunc(c.Messages, func(m call.Message) bool { return strings.Contains(m.Content, "[…]") }) {
		return skip(replay.Redacted)
	}
	sound, why, err := p.readSound(ctx, c)
	if err != nil {
		return r, false, err
	}
	if why != "" {
		return skip(why)
	}
	acts := listActs(c, sound)
	q := p.request(c, acts)
	if q.Follows, err = p.Store.FindFollowed(ctx, c); err != nil {
		return r, false, err
	}
	out, err := p.Hold(ctx, q, p.ears)
	switch {
	case ctx.Err() != nil:
		return r, false, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return r, false, err
	case err != nil:
		p.Log.Warn("a recorded call cannot be replayed", "call_id", id, "err", err)
		return skip(replay.NoEnd)
	case slices.ContainsFunc(out.Errors, func(e call.CallError) bool { return strings.HasPrefix(e.Code, "recognizer_") }):
		return skip(replay.NotHeard)
	}
	return compareCalls(c, acts, out), false, nil
}

// readSound reads the person's sound of a call's recording; why says that there is none.
func (p *page) readSound(ctx context.Context, c call.Call) (sound []int16, why replay.Problem, err error) {
	if c.Recording == "" {
		return nil, replay.RecordingGone, nil
	}
	file, err := p.OpenRecording(ctx, c)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, replay.RecordingGone, nil
	case errors.Is(err, blob.ErrDamaged):
		return nil, replay.RecordingDamaged, nil
	case err != nil:
		return nil, "", err
	}
	sound, err = blob.ReadPersonSpan(file, 0, maxSound)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, replay.RecordingDamaged, nil //nolint:nilerr // it is shorter than its header says
	}
	return sound, "", nil
}

// request returns the conversation of a call with its person's acts.
func (p *page) request(c call.Call, acts []personAct) rehearsal.Request {
	q := rehearsal.Request{
		OrgID: p.orgID, Scenario: p.plan, Variables: c.Variables, ToEnd: true, Pace: paceOf(c.Messages), Limit: holdTime,
		Now: c.CreatedAt, PersonCalled: c.Way() == call.Inbound, Decided: c.Decisions,
	}
	if c.StartedAt != nil {
		q.Now = *c.StartedAt
	}
	for _, a := range acts {
		q.Acts = append(q.Acts, a.Act)
	}
	return q
}

// paceOf returns how long the platform took for a word.
func paceOf(messages []call.Message) time.Duration {
	var spoken time.Duration
	words := 0
	for _, m := range messages {
		if m.Role == call.Assistant {
			spoken, words = spoken+seconds(m.End-m.Start), words+len(strings.Fields(m.Content))
		}
	}
	return min(max(spoken/time.Duration(max(words, 1)), 0), time.Second)
}

// errClaimLost means that the replay was paused or deleted, or another appliance has taken it over.
var errClaimLost = errors.New("the replay was paused or taken over")

// update changes the board while the claim holds.
func (p *page) update(ctx context.Context, change func(*replay.Board, time.Time) bool) error {
	_, err := p.Store.ChangeReplays(ctx, p.orgID, func(b *replay.Board) (store.AuditEntry, error) {
		if !change(b, time.Now().UTC()) {
			return store.AuditEntry{}, errClaimLost
		}
		return store.AuditEntry{}, nil
	})
	if errors.Is(err, errClaimLost) {
		return nil
	}
	return err
}

// release ends the claim, so that another appliance can go on at once when this one stops.
func (p *page) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pause)
	defer cancel()
	return p.update(ctx, func(b *replay.Board, _ time.Time) bool {
		b.ReleaseClaim(p.replay.ID, p.claim)
		return true
	})
}

func (p *page) publish() {
	if p.Publish != nil {
		p.Publish(p.orgID, p.replay.ID)
	}
}
