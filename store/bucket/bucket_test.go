package bucket_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/bucket"
	"munadi/store/bucket/buckettest"
)

func TestFolder(t *testing.T) {
	t.Parallel()
	b, err := bucket.OpenBucket(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	runSuite(t, b)
	for _, name := range []string{"", "/x", "../x", "a/../../x", "a//b", "."} {
		if err := b.PutObject(t.Context(), name, bytes.NewReader(nil), 0); store.CodeOf(err) != store.CodeInvalid {
			t.Errorf("%q was stored: %v", name, err)
		}
	}
}

// startServer starts an S3 server with the bucket "recordings".
func startServer(t *testing.T) *buckettest.Server {
	t.Helper()
	if testing.Short() {
		t.Skip("the short tests start no S3 server")
	}
	buckettest.NeedServer(t)
	s, err := buckettest.StartServer()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.MakeBucket(t.Context(), "recordings"); err != nil {
		t.Fatal(err)
	}
	return s
}

func openBucket(t *testing.T, url, id, secret string) bucket.ObjectBucket {
	t.Helper()
	b, err := bucket.OpenBucket(url, buckettest.LookupKeys(id, secret))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestS3: the suite on a real server; then wrong keys, permissions and buckets, whose errors name the remedy and
// contain no keys; then the server is killed and restarted.
func TestS3(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	b := openBucket(t, s.URL("recordings", "our/clinic"), buckettest.KeyID, buckettest.KeySecret)
	runSuite(t, b)
	for _, c := range []struct{ bucket, id, secret, says string }{
		{"recordings", "stranger", "wrong-secret", "AWS_ACCESS_KEY_ID"},
		{"recordings", buckettest.KeyID, "wrong-secret", "AWS_SECRET_ACCESS_KEY"},
		{"recordings", buckettest.ReaderID, buckettest.ReaderSecret, "PutObject"},
		{"nowhere", buckettest.KeyID, buckettest.KeySecret, "does not exist"},
	} {
		_, err := bucket.CheckAccess(t.Context(), openBucket(t, s.URL(c.bucket, ""), c.id, c.secret))
		if store.CodeOf(err) != store.CodeInvalid || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret\"") ||
			strings.Contains(err.Error(), c.secret) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	err := b.PutObject(t.Context(), "x", strings.NewReader("x"), 1)
	if store.CodeOf(err) != store.CodeUnavailable || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("while the server is away: %v", err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		if err = b.PutObject(t.Context(), "x", strings.NewReader("x"), 1); err == nil {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("after its return: %v", err)
		}
	}
	if _, err := b.OpenObject(t.Context(), "list/a/1.wav"); err != nil {
		t.Errorf("what was stored before: %v", err)
	}
}

// TestS3Faults: responses 500 and 503, a broken connection, a stalled one and a truncated body are temporary errors,
// and never count as success.
func TestS3Faults(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	var fault atomic.Value
	fault.Store("")
	var puts atomic.Int32
	target, err := url.Parse(s.Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }}
	stalled := make(chan struct{})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			puts.Add(1)
		}
		switch fault.Load() {
		case "once":
			fault.Store("")
			_, _ = io.CopyN(io.Discard, r.Body, 1000)
			http.Error(w, "<Error><Code>SlowDown</Code></Error>", http.StatusServiceUnavailable)
		case "403":
			http.Error(w, "<Error><Code>AccessDenied</Code></Error>", http.StatusForbidden)
		case "500":
			http.Error(w, "<Error><Code>InternalError</Code></Error>", http.StatusInternalServerError)
		case "503":
			http.Error(w, "<Error><Code>SlowDown</Code></Error>", http.StatusServiceUnavailable)
		case "cut":
			panic(http.ErrAbortHandler)
		case "stall":
			<-stalled
		case "half":
			w.Header().Set("Content-Length", "300000")
			_, _ = w.Write(make([]byte, 100))
			panic(http.ErrAbortHandler)
		default:
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() { close(stalled); front.CloseClientConnections(); front.Close() })
	// The signature covers the host, which the proxy keeps.
	b := openBucket(t, strings.Replace(s.URL("recordings", ""), s.Endpoint(), front.URL, 1), buckettest.KeyID, buckettest.KeySecret)
	content := bytes.Repeat([]byte("sound"), 60_000)
	for kind, want := range map[string]struct {
		code  store.ErrorCode
		tries int32
	}{
		"500": {store.CodeUnavailable, 2}, "503": {store.CodeUnavailable, 2}, "cut": {store.CodeUnavailable, 2},
		"stall": {store.CodeUnavailable, 1}, "403": {store.CodeInvalid, 1}, "once": {"", 2}, "": {"", 1},
	} {
		fault.Store(kind)
		puts.Store(0)
		deadline := time.Minute // a busy server takes seconds
		if kind == "stall" {
			deadline = 5 * time.Second
		}
		ctx, cancel := context.WithTimeout(t.Context(), deadline)
		err := b.PutObject(ctx, "f", bytes.NewReader(content), int64(len(content)))
		cancel()
		if store.CodeOf(err) != want.code || puts.Load() != want.tries {
			t.Errorf("%q: %v after %d tries", kind, err, puts.Load())
		}
		if want.code == "" && !bytes.Equal(readObject(t, b, "f"), content) {
			t.Errorf("%q: other content came back", kind)
		}
	}
	fault.Store("")
	o, err := b.OpenObject(t.Context(), "f")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	fault.Store("half")
	if got, err := io.ReadAll(o); err == nil {
		t.Errorf("half an object was read as %d bytes without an error", len(got))
	}
}

// TestURLs: the error says what is wrong with a URL and does not repeat the URL.
func TestURLs(t *testing.T) {
	t.Parallel()
	for u, says := range map[string]string{
		"s3://bucket":                              "",
		"s3://bucket/a/b?endpoint=minio:9000":      "",
		"s3://bucket?endpoint=http://h:1&region=r": "",
		"s3://":                                         "3 to 63",
		"s3://B_x":                                      "3 to 63",
		"s3://id:topsecret@bucket":                      "AWS_ACCESS_KEY_ID",
		"s3://bucket?endpont=x":                         "endpoint and region",
		"s3://bucket?endpoint=ftp://x":                  "https://HOST",
		"s3://bucket?endpoint=http://h/path":            "https://HOST",
		"s3://bucket?endpoint=http://u:topsecret@h":     "https://HOST",
		"s3://bucket\x7f?endpoint=http://u:topsecret@h": "s3://BUCKET",
	} {
		err := bucket.CheckURL(u)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) ||
			err != nil && strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%s: %v, want %q", u, err, says)
		}
	}
	if _, err := bucket.OpenBucket("s3://bucket", buckettest.LookupKeys("", "")); err == nil ||
		!strings.Contains(err.Error(), "AWS_SECRET_ACCESS_KEY") {
		t.Errorf("without keys: %v", err)
	}
}
