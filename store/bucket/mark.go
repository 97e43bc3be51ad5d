package bucket

import (
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
