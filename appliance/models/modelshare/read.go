package modelshare

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"munadi/store/bucket"
)

// markName is the object that marks a bucket as the one that this appliance has seen.
const markName = "models.shared"

// readBucket reads the records and the selection. Records that were read before are not read again.
func (r *shareRound) readBucket(ctx context.Context) error {
	r.index, r.damaged = map[string]ModelRecord{}, map[string]bool{}
	known := map[bucket.ObjectInfo]ModelRecord{}
	for o, err := range r.Bucket.ListObjects(ctx, rootPrefix) {
		if err != nil {
			return err
		}
		if strings.HasPrefix(o.Name, filesPrefix) {
			r.objects = append(r.objects, o)
			continue
		}
		name, ok := indexName(o.Name)
		if !ok {
			continue
		}
		record, seen := r.records[o]
		if !seen {
			content, err := readObject(ctx, r.Bucket, o.Name)
			if err == nil {
				record, err = ParseRecord(name, content)
			}
			if errors.Is(err, errRecord) {
				r.damaged[name] = true
				r.addProblem(ShareProblem{Kind: UnreadableRecord, Model: name, Detail: o.Name})
				continue
			}
			if err != nil && !isMissing(err) {
				return err
			}
			if err != nil {
				continue // removed meanwhile
			}
		}
		r.index[name], known[o] = record, record
	}
	r.records = known
	return r.readSelection(ctx)
}

// ListShared lists the records of the models in a bucket by name, for tools; those that cannot be read are left out.
func ListShared(ctx context.Context, from bucket.ObjectBucket) (all []ModelRecord, err error) {
	r := shareRound{ShareWorker: &ShareWorker{Dependencies: Dependencies{Bucket: from}}}
	if err := r.readBucket(ctx); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(r.index)) {
		all = append(all, r.index[name])
	}
	return all, nil
}

// readSelection reads the selection.
func (r *shareRound) readSelection(ctx context.Context) error {
	content, err := readObject(ctx, r.Bucket, selectedName)
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	s, err := parseSelection(content)
	if err != nil {
		r.addProblem(ShareProblem{Kind: UnreadableSelection, Detail: selectedName})
		return nil //nolint:nilerr // it was reported, and a choice here replaces it
	}
	r.selected = &s
	return nil
}

// forgetBucket drops the last seen state of a bucket that was replaced or emptied: models that it lacks are uploaded
// again, and not treated as removed on another appliance.
func (r *shareRound) forgetBucket() error {
	if len(r.state.Models) == 0 {
		return nil
	}
	r.Log.Warn("the bucket was replaced or emptied: the models of this machine are uploaded again")
	clear(r.state.Models)
	return r.state.writeState(r.path)
}

// shareSelection publishes a selection made here, or follows the one made elsewhere. When an appliance joins the
// others, theirs wins.
func (r *shareRound) shareSelection(ctx context.Context) error {
	serving, known := r.Serving()
	if !known || !r.isSettled(serving) {
		return nil // it is being changed now, or the setting model fixes it
	}
	switch last := r.state.Selected; {
	case last != nil && *last != serving, last == nil && r.selected == nil && serving != "":
		return r.publishSelection(ctx, serving)
	case r.selected != nil && r.selected.Name != serving:
		return r.followSelection(*r.selected)
	case last == nil:
		return r.recordSelected(serving)
	}
	return nil
}

// isSettled reports whether the model that serves is the one that is selected in the models' folder.
func (r *shareRound) isSettled(serving string) bool {
	current, err := r.Models.CurrentModel()
	if serving == "" {
		return err == nil && current == ""
	}
	return err == nil && current == r.Models.Folder(serving)
}

// publishSelection writes the selection made here, once its model is in the bucket.
func (r *shareRound) publishSelection(ctx context.Context, name string) error {
	if _, there := r.index[name]; !there && name != "" {
		return nil // the reason was reported
	}
	if r.selected == nil || r.selected.Name != name {
		if err := writeObject(ctx, r.Bucket, selectedName, Selection{Name: name, At: r.Now().UTC()}); err != nil {
			return err
		}
		r.changed = true
		r.Log.Info("the selected model was published to the other appliances", "model", modelTitle(name))
	}
	return r.recordSelected(name)
}

// followSelection serves with the model that another appliance has selected.
func (r *shareRound) followSelection(s Selection) error {
	if s.Name != "" && !slices.Contains(r.Models.InstalledNames(), s.Name) {
		r.addProblem(ShareProblem{Kind: NotHereYet, Model: s.Name})
		return nil
	}
	if s == r.refused && r.Now().Before(r.retry) {
		r.addProblem(ShareProblem{Kind: CannotOpen, Model: s.Name})
		return nil
	}
	r.Log.Info("changing to the model that another appliance selected", "model", modelTitle(s.Name))
	if err := r.Use(s.Name); err != nil {
		r.refused, r.retry = s, r.Now().Add(retryAfter)
		r.addProblem(ShareProblem{Kind: CannotOpen, Model: s.Name, Detail: err.Error()})
		return nil //nolint:nilerr // it was reported, and is tried again
	}
	return r.recordSelected(s.Name)
}

// recordSelected stores the selection in force here.
func (r *shareRound) recordSelected(name string) error {
	r.state.Selected = &name
	return r.state.writeState(r.path)
}
