package modelshare

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/models"
	"munadi/store"
)

// publishEvery is the minimum interval of a transfer's progress events.
const publishEvery = time.Second

// ModelTransfer is a running upload or download of a model.
type ModelTransfer struct {
	Name       string
	Upload     bool
	Done, Size int64 // bytes
}

// ShareStatus is the state of model sharing.
type ShareStatus struct {
	Bucket   string         // where
	Models   []string       // in the bucket, as last seen
	Transfer *ModelTransfer // nil: none
	Problems []ShareProblem // empty: all is well
	Away     bool           // the bucket does not answer
	Seen     time.Time      // the last complete round; zero: none yet

	publishedAt time.Time
}

// CurrentStatus returns the status.
func (w *ShareWorker) CurrentStatus() ShareStatus {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.status
	if s.Transfer != nil {
		transfer := *s.Transfer
		s.Transfer = &transfer
	}
	return s
}

// addProblem records a problem of this round.
func (r *shareRound) addProblem(p ShareProblem) { r.problems = append(r.problems, p) }

// reportRound stores and publishes the result of a round.
func (w *ShareWorker) reportRound(r *shareRound, err error) {
	problems := r.problems
	away := store.CodeOf(err) == store.CodeUnavailable
	if err != nil && !away { // an unreachable bucket has a separate warning
		problems = append(problems, ShareProblem{Kind: CannotShare, Detail: faultText(err)})
	}
	w.mu.Lock()
	before := w.status
	w.status.Problems, w.status.Away = problems, away
	if err == nil {
		w.status.Models, w.status.Seen = slices.Sorted(maps.Keys(r.index)), w.Now()
	}
	changed := before.Away != away || !slices.Equal(before.Problems, problems) ||
		!slices.Equal(before.Models, w.status.Models)
	w.mu.Unlock()
	if !slices.Equal(before.Problems, problems) {
		for _, problem := range problems {
			w.Log.Warn("models cannot be shared", "problem", problem)
		}
		w.Warn(joinProblems(problems))
	}
	if changed {
		w.Changed()
	}
}

// faultText returns the sentence of an error, without the server's text.
func faultText(err error) string {
	if known, ok := errors.AsType[*store.Error](err); ok {
		return known.Message
	}
	return err.Error()
}

// beginTransfer shows a transfer until stop is called.
func (w *ShareWorker) beginTransfer(record ModelRecord, upload bool) (stop func()) {
	set := func(t *ModelTransfer) {
		w.mu.Lock()
		w.status.Transfer = t
		w.mu.Unlock()
		w.Changed()
	}
	set(&ModelTransfer{Name: record.Name, Upload: upload, Size: record.Bytes()})
	return func() { set(nil) }
}

// addTransferred counts bytes of the transfer.
func (w *ShareWorker) addTransferred(n int64) {
	w.mu.Lock()
	publish := false
	if t := w.status.Transfer; t != nil {
		t.Done = min(t.Done+n, t.Size)
		if publish = time.Since(w.status.publishedAt) >= publishEvery; publish {
			w.status.publishedAt = time.Now()
		}
	}
	w.mu.Unlock()
	if publish {
		w.Changed()
	}
}

// modelTitle returns the name of a model for people.
func modelTitle(name string) string { return cmp.Or(name, models.BuiltIn) }

// CheckShare is doctor's check of the shared models.
func (w *ShareWorker) CheckShare() admin.CheckFinding {
	s := w.CurrentStatus()
	f := admin.CheckFinding{Name: "models", State: admin.StateOK}
	switch {
	case len(s.Problems) > 0:
		f.State, f.Text = admin.StateFailed, joinProblems(s.Problems)
	case s.Transfer != nil:
		f.State, f.Text = admin.StateWarning, s.Transfer.String()
	case s.Seen.IsZero() || s.Away:
		f.State, f.Text = admin.StateWarning, "the bucket does not answer; the models of this machine are used"
	case len(s.Models) == 0:
		f.Text = "none in the bucket; a model installed on one appliance is shared with all"
	default:
		f.Text = fmt.Sprintf("%d in the bucket, all on this machine: %s", len(s.Models), strings.Join(s.Models, ", "))
	}
	return f
}

// String describes a transfer for people.
func (t ModelTransfer) String() string {
	verb := "fetched from"
	if t.Upload {
		verb = "uploaded to"
	}
	return fmt.Sprintf("%s is %s the bucket: %d of %d MB", t.Name, verb, t.Done/1e6, t.Size/1e6)
}
