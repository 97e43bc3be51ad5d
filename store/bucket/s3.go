package bucket

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net"
	"net/http"
	"path"
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
	// tries is how often a request is sent at most; callers have their own retries, which they log.
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
func (b *s3Bucket) PutObject(ctx context.Context, name string, content io.ReaderAt, size int64) error {
	ctx, cancel := withDeadline(ctx, size)
	defer cancel()
	hash := md5.New()
	if _, err := io.Copy(hash, io.NewSectionReader(content, 0, size)); err != nil {
		return err
	}
	sum := base64.StdEncoding.EncodeToString(hash.Sum(nil))
	err := b.sendObject(ctx, name, content, size, sum)
	for try := 1; try < tries && ctx.Err() == nil && store.CodeOf(err) == store.CodeUnavailable; try++ {
		err = b.sendObject(ctx, name, content, size, sum)
	}
	if err != nil {
		return err
	}
	info, err := b.core.StatObject(ctx, b.at.bucket, b.at.prefix+name, minio.StatObjectOptions{})
	if err == nil && info.Size != size {
		return store.Errorf(store.CodeUnavailable, "the bucket %s holds %d bytes of %s, %d were sent",
			b.at, info.Size, name, size)
	}
	return b.explainError(ctx, name, err)
}

// sendObject sends an object once. The client waits up to 200 ms after an error that a new try may mend. It must not
// seek: it would do so for its own tries, while the HTTP transport still reads the body of the try before.
func (b *s3Bucket) sendObject(ctx context.Context, name string, content io.ReaderAt, size int64, md5 string) error {
	body := struct{ io.Reader }{io.NewSectionReader(content, 0, size)}
	_, err := b.core.PutObject(ctx, b.at.bucket, b.at.prefix+name, body, size, md5, "",
		minio.PutObjectOptions{ContentType: contentType(name)})
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

// explainError translates an error of the S3 client into a sentence that names the remedy.
func (b *s3Bucket) explainError(ctx context.Context, name string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return context.Canceled
	}
	answer := minio.ToErrorResponse(err)
	code, sentence := store.CodeUnavailable, ""
	switch answer.Code {
	case "NoSuchKey":
		return &store.Error{Code: store.CodeNotFound, Message: "there is no " + name + " in the bucket", Err: fs.ErrNotExist}
	case "NoSuchBucket":
		code = store.CodeInvalid
		sentence = "does not exist: correct the name in --recordings (MUNADI_RECORDINGS), or create the bucket"
	case "InvalidAccessKeyId", "InvalidClientTokenId", "UnrecognizedClientException":
		code, sentence = store.CodeInvalid, "does not know the key: check AWS_ACCESS_KEY_ID"
	case "SignatureDoesNotMatch":
		code = store.CodeInvalid
		sentence = "refuses the key's secret: check AWS_SECRET_ACCESS_KEY, and region in --recordings"
	case "ExpiredToken", "ExpiredTokenException", "InvalidToken":
		code, sentence = store.CodeInvalid, "refuses the session token: check AWS_SESSION_TOKEN"
	case "AccessDenied", "AllAccessDisabled", "AccountProblem":
		code = store.CodeInvalid
		sentence = "refuses access: the key needs GetObject, PutObject, DeleteObject and ListBucket there"
	case "RequestTimeTooSkewed":
		code, sentence = store.CodeInvalid, "refuses requests since the clocks differ: set this machine's clock"
	case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException":
		code, sentence = store.CodeInvalid, "is in another region: correct region in --recordings"
	case "QuotaExceeded", "XMinioStorageFull", "InsufficientStorage":
		sentence = "is full: free space in it or raise its quota"
	default:
		sentence = describeOutage(answer.StatusCode)
	}
	return &store.Error{Code: code, Message: "the bucket " + b.at.String() + " " + sentence, Err: shortCause(answer, err)}
}

// describeOutage describes a temporary fault.
func describeOutage(status int) string {
	switch {
	case status >= http.StatusInternalServerError, status == http.StatusTooManyRequests:
		return "cannot serve requests now"
	case status == 0 || status == http.StatusOK:
		return "does not answer"
	}
	return "sent an unexpected response"
}

// shortCause returns the cause without the body of the server's error page.
func shortCause(answer minio.ErrorResponse, err error) error {
	if answer.StatusCode == 0 {
		return err
	}
	return fmt.Errorf("%d %s: %s", answer.StatusCode, answer.Code, answer.Message)
}
