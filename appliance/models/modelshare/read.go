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
	s, err := ParseSelection(content)
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
