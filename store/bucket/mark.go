package bucket

import (
	"bytes"
	"context"
	"errors"
	"io"
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
	object, err := b.OpenObject(ctx, markName)
	if store.CodeOf(err) == store.CodeNotFound {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	content, err := io.ReadAll(io.LimitReader(object, maxMark))
	return strings.TrimSpace(string(content)), true, errors.Join(err, object.Close())
}

// WriteMark marks a bucket as owned by an installation.
func WriteMark(ctx context.Context, b ObjectBucket, id string) error {
	content := []byte(id + "\n")
	return b.PutObject(ctx, markName, bytes.NewReader(content), int64(len(content)))
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
	content := []byte(time.Now().UTC().Format(time.RFC3339Nano))
	if err := b.PutObject(ctx, probeName, bytes.NewReader(content), int64(len(content))); err != nil {
		return ahead, err
	}
	object, err := b.OpenObject(ctx, probeName)
	if err != nil {
		return ahead, err
	}
	_, err = io.ReadAll(io.LimitReader(object, maxMark))
	if err = errors.Join(err, object.Close()); err != nil {
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
