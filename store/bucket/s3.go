package bucket

import (
	"context"
	"io"
	"iter"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"munadi/store"
)

const (
	connectTimeout = 5 * time.Second
	answerTimeout  = 20 * time.Second // until the headers of an answer
	// slowest is the minimum transfer rate in bytes per second; a slower transfer is aborted.
	slowest = 32 << 10
	// tries is how often the client sends a request at most; callers have their own retries, which they log.
	tries = 2
)

// s3Bucket stores objects in an S3 bucket below a prefix.
type s3Bucket struct {
	core *minio.Core
	at   s3Location
}

func openS3(setting string, lookup func(string) (string, bool)) (*s3Bucket, error) {
	at, err := parseURL(setting, lookup)
	if err != nil {
		return nil, err
	}
	if at.keys.id == "" || at.keys.secret == "" {
		return nil, store.Errorf(store.CodeInvalid,
			"the bucket %s needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", at)
	}
	lookupStyle := minio.BucketLookupPath
	if at.isAmazon() {
		lookupStyle = minio.BucketLookupAuto
	}
	core, err := minio.NewCore(at.endpoint.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(at.keys.id, at.keys.secret, at.keys.token),
		Secure: at.endpoint.Scheme == "https", Region: at.region, BucketLookup: lookupStyle,
		Transport: newTransport(), MaxRetries: tries,
	})
	if err != nil {
		return nil, &store.Error{Code: store.CodeInvalid, Message: "the bucket " + at.String() + " cannot be used", Err: err}
	}
	return &s3Bucket{core, at}, nil
}

// newTransport returns a transport with a time limit for every step.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:       http.ProxyFromEnvironment,
		DialContext: (&net.Dialer{Timeout: connectTimeout}).DialContext, TLSHandshakeTimeout: connectTimeout,
		ResponseHeaderTimeout: answerTimeout, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 8,
		DisableCompression: true, ForceAttemptHTTP2: true,
	}
}

// withDeadline bounds the transfer of size bytes.
func withDeadline(ctx context.Context, size int64) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, answerTimeout+time.Duration(size/slowest)*time.Second)
}

// PutObject implements [ObjectBucket]. The server verifies the content by its MD5; the stored size is then read back
// and compared.
func (b *s3Bucket) PutObject(ctx context.Context, name string, content io.ReadSeeker, size int64) error {
	ctx, cancel := withDeadline(ctx, size)
	defer cancel()
	_, err := b.core.Client.PutObject(ctx, b.at.bucket, b.at.prefix+name, content, size, minio.PutObjectOptions{
		ContentType: contentType(name), SendContentMd5: true, DisableMultipart: true,
	})
	if err != nil {
		return b.explainError(ctx, name, err)
	}
	info, err := b.core.StatObject(ctx, b.at.bucket, b.at.prefix+name, minio.StatObjectOptions{})
	if err == nil && info.Size != size {
		return store.Errorf(store.CodeUnavailable, "the bucket %s holds %d bytes of %s, %d were sent",
			b.at, info.Size, name, size)
	}
	return b.explainError(ctx, name, err)
}

func contentType(name string) string {
	if strings.HasSuffix(name, ".wav") {
		return "audio/wav"
	}
	return "application/octet-stream"
}

// OpenObject implements [ObjectBucket].
func (b *s3Bucket) OpenObject(ctx context.Context, name string) (OpenedObject, error) {
	asked, cancel := withDeadline(ctx, 0)
	defer cancel()
	info, err := b.core.StatObject(asked, b.at.bucket, b.at.prefix+name, minio.StatObjectOptions{})
	if err != nil {
		return nil, b.explainError(asked, name, err)
	}
	return &s3Object{
		ctx: ctx, bucket: b, name: name, etag: info.ETag, info: ObjectInfo{name, info.Size, info.LastModified, info.ETag},
	}, nil
}

// RemoveObject implements [ObjectBucket].
func (b *s3Bucket) RemoveObject(ctx context.Context, name string) error {
	ctx, cancel := withDeadline(ctx, 0)
	defer cancel()
	err := b.core.RemoveObject(ctx, b.at.bucket, b.at.prefix+name, minio.RemoveObjectOptions{})
	if err = b.explainError(ctx, name, err); store.CodeOf(err) == store.CodeNotFound {
		return nil
	}
	return err
}

// MoveObject implements [ObjectBucket]: a copy within the bucket, then the removal of the original.
func (b *s3Bucket) MoveObject(ctx context.Context, from, to string) error {
	copying, cancel := withDeadline(ctx, 0)
	defer cancel()
	_, err := b.core.Client.CopyObject(copying,
		minio.CopyDestOptions{Bucket: b.at.bucket, Object: b.at.prefix + to},
		minio.CopySrcOptions{Bucket: b.at.bucket, Object: b.at.prefix + from})
	if err != nil {
		return b.explainError(copying, from, err)
	}
	return b.RemoveObject(ctx, from)
}

// ListObjects implements [ObjectBucket].
func (b *s3Bucket) ListObjects(ctx context.Context, prefix string) iter.Seq2[ObjectInfo, error] {
	return func(yield func(ObjectInfo, error) bool) {
		listing, cancel := context.WithCancel(ctx)
		defer cancel()
		options := minio.ListObjectsOptions{Prefix: b.at.prefix + prefix, Recursive: true}
		for o := range b.core.ListObjectsIter(listing, b.at.bucket, options) {
			if o.Err != nil {
				yield(ObjectInfo{}, b.explainError(ctx, prefix, o.Err))
				return
			}
			if strings.HasSuffix(o.Key, "/") {
				continue // a placeholder of a folder, which some servers list
			}
			if !yield(ObjectInfo{strings.TrimPrefix(o.Key, b.at.prefix), o.Size, o.LastModified, o.ETag}, nil) {
				return
			}
		}
	}
}

// MeasureClock implements [ObjectBucket], by the Date header of a response.
func (b *s3Bucket) MeasureClock(ctx context.Context) (time.Duration, error) {
	ctx, cancel := withDeadline(ctx, 0)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, b.at.endpoint.String(), nil)
	if err != nil {
		return 0, err
	}
	client := http.Client{Transport: newTransport()}
	defer client.CloseIdleConnections()
	answer, err := client.Do(r)
	if err != nil {
		return 0, b.explainError(ctx, "", err)
	}
	_ = answer.Body.Close() // of a HEAD
	theirs, err := http.ParseTime(answer.Header.Get("Date"))
	if err != nil {
		return 0, nil // a server that sends no Date
	}
	return theirs.Sub(time.Now().Truncate(time.Second)), nil
}

// Location implements [ObjectBucket].
func (b *s3Bucket) Location() string { return b.at.String() }
