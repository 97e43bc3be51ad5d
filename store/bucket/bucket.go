// Package bucket stores objects outside of the appliance: in an S3 bucket, or in a folder used as one (a network share,
// a larger disk). Appliances share recordings, uploads, models and prompts through it.
//
// Storing is atomic: an object appears under its name once all of it is stored and its size was confirmed. Names are
// paths with '/'. The package is the sole importer of the S3 client and treats objects as opaque bytes.
//
// Its errors are store errors: CodeNotFound without the object, CodeUnavailable while the bucket does not answer (the
// same call may succeed later), CodeInvalid for an operator's mistake: keys, permissions, a missing bucket. Their
// messages are sentences for the operator and contain no keys.
package bucket

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"strings"
	"time"
)

// ObjectBucket holds objects by name. It is safe for concurrent use.
type ObjectBucket interface {
	// PutObject stores an object of size bytes, replacing one of the same name, and returns when the bucket has
	// confirmed it. A try that failed may still read content for a moment; it may be closed before that.
	PutObject(ctx context.Context, name string, content io.ReaderAt, size int64) error
	// OpenObject opens an object for reading. Parts of it are fetched as they are read; ctx bounds all reads.
	OpenObject(ctx context.Context, name string) (OpenedObject, error)
	// RemoveObject deletes an object; a missing one is no error.
	RemoveObject(ctx context.Context, name string) error
	// MoveObject renames an object.
	MoveObject(ctx context.Context, from, to string) error
	// ListObjects lists the objects whose names begin with a prefix. It stops at the first error.
	ListObjects(ctx context.Context, prefix string) iter.Seq2[ObjectInfo, error]
	// MeasureClock returns by how much the bucket's clock is ahead of this machine's; 0 for a folder.
	MeasureClock(ctx context.Context) (time.Duration, error)
	// Location names the bucket for people, without keys.
	Location() string
}

// ObjectInfo describes a stored object.
type ObjectInfo struct {
	Name     string
	Size     int64
	Modified time.Time
	ETag     string // differs between contents; empty where the bucket has none
}

// OpenedObject is an object or file that is open for reading; *[os.File] implements it.
type OpenedObject interface {
	io.ReadSeekCloser
	Stat() (fs.FileInfo, error)
}

// IsBucketURL reports whether a setting names an S3 bucket rather than a folder.
func IsBucketURL(setting string) bool { return strings.HasPrefix(setting, "s3://") }

// OpenBucket opens the bucket of a setting: s3://BUCKET[/PREFIX]?endpoint=…&region=… with the keys of an environment,
// or a folder. It sends no request: see [CheckAccess].
func OpenBucket(setting string, lookup func(string) (string, bool)) (ObjectBucket, error) {
	if IsBucketURL(setting) {
		return openS3(setting, lookup)
	}
	return openFolder(filepath.Clean(setting))
}

// DescribeSetting names the bucket or folder of a setting for people, without keys, as [ObjectBucket.Location] does.
func DescribeSetting(setting string, lookup func(string) (string, bool)) string {
	if !IsBucketURL(setting) {
		return filepath.Clean(setting)
	}
	at, err := parseURL(setting, lookup)
	if err != nil {
		return "of --recordings"
	}
	return at.String()
}

// ReadObject reads at most limit bytes of an object.
func ReadObject(ctx context.Context, b ObjectBucket, name string, limit int64) ([]byte, error) {
	object, err := b.OpenObject(ctx, name)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(object, limit))
	return content, errors.Join(err, object.Close())
}

// PutBytes stores an object that is in memory, see [ObjectBucket].PutObject.
func PutBytes(ctx context.Context, b ObjectBucket, name string, content []byte) error {
	return b.PutObject(ctx, name, bytes.NewReader(content), int64(len(content)))
}
