package modelshare

import (
	"context"
	"errors"
	"strings"
)

// RemoveThere removes a model from the bucket that was removed here, once no appliance uses it.
func (r *shareRound) RemoveThere(ctx context.Context, name string) error {
	if _, there := r.index[name]; there {
		users, err := r.UsedBy(ctx, name)
		if err != nil {
			return r.reportModelFault(ctx, name, err)
		}
		if len(users) > 0 {
			r.Log.Info("a removed model stays in the bucket while other appliances use it", "model", name,
				"used by", strings.Join(users, ", "))
			return nil
		}
		if err := r.Bucket.RemoveObject(ctx, indexObject(name)); err != nil {
			return err
		}
		delete(r.index, name)
		r.changed = true
	}
	for _, o := range r.objects {
		if strings.HasPrefix(o.Name, filesPrefix+name+"/") {
			if err := r.Bucket.RemoveObject(ctx, o.Name); err != nil {
				return err
			}
		}
	}
	r.Log.Info("a removed model was deleted from the bucket", "model", name)
	delete(r.state.Models, name)
	return errors.Join(r.state.writeState(r.path), r.Models.ForgetRemoved(name))
}

// RemoveHere removes a model here that another appliance has removed from the bucket.
func (r *shareRound) RemoveHere(_ context.Context, name string) error {
	r.Log.Info("a model was removed on another appliance", "model", name)
	err := errors.Join(r.Models.Remove(name), r.Models.ForgetRemoved(name))
	if err != nil {
		return err
	}
	delete(r.state.Models, name)
	return r.state.writeState(r.path)
}

// removeOrphans removes files without a record: those of an interrupted upload, and of a replaced model.
func (r *shareRound) removeOrphans(ctx context.Context) error {
	for _, o := range r.objects {
		name, rest, _ := strings.Cut(strings.TrimPrefix(o.Name, filesPrefix), "/")
		revision, _, _ := strings.Cut(rest, "/")
		if r.damaged[name] || r.index[name].Revision == revision || r.Now().Sub(o.Modified) < orphanAfter {
			continue
		}
		if err := r.Bucket.RemoveObject(ctx, o.Name); err != nil {
			return err
		}
	}
	return nil
}
