package modelshare

import (
	"context"
	"slices"
)

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
