package bucket

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/minio/minio-go/v7"
)

// s3Object reads an object from its position on by one range request, which is sent with the first read after a seek.
type s3Object struct {
	ctx    context.Context //nolint:containedctx // of the request that reads
	bucket *s3Bucket
	name   string
	etag   string
	info   ObjectInfo

	at     int64
	body   io.ReadCloser
	cancel context.CancelFunc
}

// Read implements io.Reader.
func (o *s3Object) Read(p []byte) (int, error) {
	if o.at >= o.info.Size {
		return 0, io.EOF
	}
	if o.body == nil {
		if err := o.beginReading(); err != nil {
			return 0, err
		}
	}
	n, err := o.body.Read(p)
	if o.at += int64(n); err == nil || errors.Is(err, io.EOF) && o.at >= o.info.Size {
		return n, err
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, o.bucket.explainError(o.ctx, o.name, err)
}

// beginReading requests the rest of the object.
func (o *s3Object) beginReading() error {
	options := minio.GetObjectOptions{}
	err := options.SetMatchETag(o.etag) // fails if the object was replaced since it was opened
	if err == nil && o.at > 0 {
		err = options.SetRange(o.at, 0)
	}
	if err != nil {
		return err
	}
	ctx, cancel := withDeadline(o.ctx, o.info.Size-o.at)
	body, _, _, err := o.bucket.core.GetObject(ctx, o.bucket.at.bucket, o.bucket.at.prefix+o.name, options)
	if err != nil {
		cancel()
		return o.bucket.explainError(ctx, o.name, err)
	}
	o.body, o.cancel = body, cancel
	return nil
}

// Seek implements io.Seeker.
func (o *s3Object) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.at
	case io.SeekEnd:
		offset += o.info.Size
	}
	if offset < 0 {
		return 0, fs.ErrInvalid
	}
	if offset != o.at {
		_ = o.Close() // the rest of this response is not read
	}
	o.at = offset
	return offset, nil
}

// Close implements io.Closer.
func (o *s3Object) Close() error {
	if o.body == nil {
		return nil
	}
	o.cancel()
	err := o.body.Close()
	o.body = nil
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// Stat returns size and time of the object.
func (o *s3Object) Stat() (fs.FileInfo, error) { return objectFileInfo{o.info}, nil }

// objectFileInfo implements [fs.FileInfo] for an object.
type objectFileInfo struct{ of ObjectInfo }

func (i objectFileInfo) Name() string       { return path.Base(i.of.Name) }
func (i objectFileInfo) Size() int64        { return i.of.Size }
func (i objectFileInfo) Mode() fs.FileMode  { return 0o600 }
func (i objectFileInfo) ModTime() time.Time { return i.of.Modified }
func (i objectFileInfo) IsDir() bool        { return false }
func (i objectFileInfo) Sys() any           { return i.of.ETag }
