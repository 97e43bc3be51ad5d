package modelshare

import (
	"context"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"munadi/appliance/models"
	"munadi/store/bucket"
	"munadi/store/mirror"
)

const (
	orphanAfter = 24 * time.Hour   // from when on files without a record are removed from the bucket
	retryAfter  = 10 * time.Minute // for a model that could not be opened
)

// Dependencies are the worker's dependencies on the appliance; all fields are required.
type Dependencies struct {
	Models models.ModelFolder
	Bucket bucket.ObjectBucket
	// Serving returns the installed model that serves, empty for the built-in one; false while none does, or the setting
	// model names another.
	Serving func() (name string, known bool)
	// Use serves with an installed model, or with the built-in one for an empty name.
	Use func(name string) error
	// UsedBy lists the other appliances that serve with a model.
	UsedBy   func(ctx context.Context, name string) ([]string, error)
	Announce func()               // notifies the other appliances of a change in the bucket
	Warn     func(message string) // to the health status; empty clears the warning
	Changed  func()               // notifies open pages of a changed status
	Now      func() time.Time
	Log      *slog.Logger
}

// ShareWorker shares models. It is safe for concurrent use; Run is called once.
type ShareWorker struct {
	Dependencies
	rounds mirror.RoundLoop

	mu     sync.Mutex
	status ShareStatus

	records map[bucket.ObjectInfo]ModelRecord // read before
	refused Selection                         // could not be served
	retry   time.Time                         // when it is tried again
}

// NewWorker returns a worker.
func NewWorker(d Dependencies) *ShareWorker {
	return &ShareWorker{
		Dependencies: d, rounds: mirror.NewLoop(), records: map[bucket.ObjectInfo]ModelRecord{},
		status: ShareStatus{Bucket: d.Bucket.Location()},
	}
}

// WakeUp makes the worker compare now, after a change here or on another appliance. It does nothing on a nil worker.
func (w *ShareWorker) WakeUp() {
	if w != nil {
		w.rounds.WakeUp()
	}
}

// Run compares the models' folder with the bucket until ctx ends. It never fails: faults are reported and retried.
func (w *ShareWorker) Run(ctx context.Context) error {
	w.rounds.RunRounds(ctx, func(ctx context.Context) (poll bool) {
		r := shareRound{ShareWorker: w}
		if err := r.runRound(ctx); ctx.Err() == nil {
			w.reportRound(&r, err)
		}
		return false // commands and the console report changes
	}, nil)
	return nil
}

// shareRound is one comparison.
type shareRound struct {
	*ShareWorker
	path     string // of the state
	state    seenState
	index    map[string]ModelRecord
	objects  []bucket.ObjectInfo // of files
	damaged  map[string]bool     // models with an unreadable record in the bucket: they are not changed
	selected *Selection          // nil: none in the bucket
	problems []ShareProblem
	changed  bool // in the bucket, by this appliance
}

// runRound compares once. Its error is one of the bucket or of the disk.
func (r *shareRound) runRound(ctx context.Context) error {
	if err := os.MkdirAll(r.Models.Folder(""), 0o700); err != nil {
		return err
	}
	r.path = r.Models.Folder(models.SharedState)
	r.state = readState(r.path)
	id, err := bucket.EnsureMark(ctx, r.Bucket, markName, r.state.Bucket, r.forgetBucket)
	if err != nil {
		return err
	}
	r.state.Bucket = id
	if err := r.readBucket(ctx); err != nil {
		return err
	}
	if err := bucket.CheckMark(ctx, r.Bucket, markName, id); err != nil {
		return err
	}
	err = r.shareModels(ctx)
	if err == nil {
		err = r.shareSelection(ctx)
	}
	if err == nil {
		err = r.removeOrphans(ctx)
	}
	if r.changed {
		r.Announce()
	}
	return err
}

// shareModels uploads, downloads and removes models until folder and bucket agree, the selected one first.
func (r *shareRound) shareModels(ctx context.Context) error {
	names := map[string]bool{}
	for name := range r.index {
		names[name] = true
	}
	for _, name := range slices.Concat(r.Models.InstalledNames(), r.Models.RemovedNames()) {
		names[name] = true
	}
	sorted := slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		if first := r.isSelected(b); first != r.isSelected(a) {
			if first {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	for _, name := range sorted {
		if err := r.shareModel(ctx, name); err != nil {
			return err
		}
	}
	for name := range r.state.Models {
		if !names[name] && !r.damaged[name] {
			delete(r.state.Models, name)
		}
	}
	return r.state.writeState(r.path)
}

// isSelected reports whether a model is the selected one.
func (r *shareRound) isSelected(name string) bool {
	return r.selected != nil && r.selected.Name == name
}

// shareModel compares one model here with that in the bucket. A model here never changes; one that is missing here was
// removed only if it is marked so, and one that serves is never removed.
func (r *shareRound) shareModel(ctx context.Context, name string) error {
	if r.damaged[name] {
		return nil
	}
	here, removed := slices.Contains(r.Models.InstalledNames(), name), slices.Contains(r.Models.RemovedNames(), name)
	record, there := r.index[name]
	seen, known := r.state.Models[name]
	return mirror.MatchItem(ctx, r, name, mirror.SharedItem{
		Here:         here,
		ChangedHere:  removed || !known || !there && r.isServing(name),
		There:        there || removed, // files of a removed one may be left
		ChangedThere: there && (seen != record.Revision || !here && (!removed || r.isSelected(name))),
	})
}

// isServing reports whether a model serves here, or is selected in the models' folder.
func (r *shareRound) isServing(name string) bool {
	serving, known := r.Serving()
	current, err := r.Models.CurrentModel()
	return known && serving == name || err == nil && current == r.Models.Folder(name)
}

// recordSeen stores the revision of a model that is here and in the bucket.
func (r *shareRound) recordSeen(name, revision string) error {
	r.state.Models[name] = revision
	return r.state.writeState(r.path)
}
