package bucket

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"munadi/store"
)

// markName is the name of the object with the id of the installation that owns the bucket.
const markName = ".installation"

// maxMark is the maximum size of the mark, in bytes.
const maxMark = 256

// ReadMark returns the id of the installation that owns a bucket. marked is false for a bucket without a mark; an empty
// id with marked true is a mark that an operator created to approve the bucket.
func ReadMark(ctx context.Context, b ObjectBucket) (id string, marked bool, err error) {
	content, err := ReadObject(ctx, b, markName, maxMark)
	if store.CodeOf(err) == store.CodeNotFound {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	return strings.TrimSpace(string(content)), true, nil
}

// WriteMark marks a bucket as owned by an installation.
func WriteMark(ctx context.Context, b ObjectBucket, id string) error {
	return PutBytes(ctx, b, markName, []byte(id+"\n"))
}

// EnsureMark marks a part of the bucket as in use by a small object with an id, and returns the id. known is the one
// that the caller last matched the bucket with, empty for none: without the mark, or with another id, the bucket was
// emptied or replaced, so that objects missing from it were not removed on purpose. forget is then called first, and
// must drop the caller's record of the bucket's content.
//
// The mark of an older version has its name as the id, and the record of an older version no id; neither says that the
// bucket is another one.
func EnsureMark(ctx context.Context, b ObjectBucket, name, known string, forget func() error) (id string, err error) {
	id, err = readPartMark(ctx, b, name)
	if err != nil || id != "" && id == cmp.Or(known, name) {
		return id, err
	}
	if err := forget(); err != nil || id != "" {
		return id, err
	}
	id = uuid.NewString()
	return id, PutBytes(ctx, b, name, []byte(id))
}

// CheckMark returns an error if the mark of [EnsureMark] is gone, or has another id: the bucket was emptied or replaced
// meanwhile, and what a list of it lacks was removed by nobody.
func CheckMark(ctx context.Context, b ObjectBucket, name, id string) error {
	now, err := readPartMark(ctx, b, name)
	if err == nil && now != id {
		err = store.Errorf(store.CodeUnavailable, "the bucket %s was emptied or replaced while it was read", b.Location())
	}
	return err
}

// readPartMark returns the id of a part's mark; empty without one.
func readPartMark(ctx context.Context, b ObjectBucket, name string) (id string, err error) {
	content, err := ReadObject(ctx, b, name, maxMark)
	if store.CodeOf(err) == store.CodeNotFound {
		return "", nil
	}
	return cmp.Or(strings.TrimSpace(string(content)), name), err
}

// probePrefix begins the name of the object that CheckAccess writes and removes.
const probePrefix = ".munadi-probe-"

// CheckAccess writes, reads, lists and removes an object, and measures by how much the bucket's clock is ahead. The
// error is that of the first step that fails.
func CheckAccess(ctx context.Context, b ObjectBucket) (ahead time.Duration, err error) {
	if ahead, err = b.MeasureClock(ctx); err != nil {
		return 0, err
	}
	probeName := probePrefix + uuid.NewString() // appliances that share a bucket probe it at the same time
	if err := PutBytes(ctx, b, probeName, []byte(time.Now().UTC().Format(time.RFC3339Nano))); err != nil {
		return ahead, err
	}
	if _, err := ReadObject(ctx, b, probeName, maxMark); err != nil {
		return ahead, err
	}
	for _, err := range b.ListObjects(ctx, markName) {
		if err != nil {
			return ahead, err
		}
		break
	}
	return ahead, b.RemoveObject(ctx, probeName)
}
