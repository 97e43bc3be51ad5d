package whole_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// probeContinuously requests all three probes repeatedly, each time over a new connection, until stop is called. Each
// must answer 200 in time. stop returns the longest response time.
func (a *testInstance) probeContinuously(t *testing.T) (stop func() time.Duration) {
	t.Helper()
	over := make(chan struct{})
	client := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	var (
		asking  sync.WaitGroup
		once    sync.Once
		slowest time.Duration
		asked   int
	)
	asking.Go(func() {
		for {
			for path, want := range map[string]string{"/livez": "alive", "/readyz": "ready", "/health": "ok"} {
				began := time.Now()
				if said, err := fetchText(client, a.URL+path); err != nil || !strings.Contains(said, `"`+want+`"`) {
					t.Errorf("%s: %q %v after %v", path, said, err, time.Since(began))
				}
				slowest = max(slowest, time.Since(began))
				asked++
			}
			select {
			case <-over:
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	})
	stop = func() time.Duration {
		once.Do(func() {
			close(over)
			asking.Wait()
			t.Logf("%d probes, the slowest took %v", asked, slowest)
		})
		return slowest
	}
	t.Cleanup(func() { stop() })
	return stop
}

func fetchText(client *http.Client, url string) (string, error) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	res, err := client.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

// openConnection opens a TCP connection to the appliance, which is closed with the test.
func (a *testInstance) openConnection(t testing.TB) net.Conn {
	t.Helper()
	var d net.Dialer
	conn, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(a.URL, "http://"))
	mustSucceed(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// openConnections opens n TCP connections.
func (a *testInstance) openConnections(t testing.TB, n int) []net.Conn {
	t.Helper()
	all := make([]net.Conn, n)
	for i := range all {
		all[i] = a.openConnection(t)
	}
	return all
}

// writeSlowly writes text one byte at a time until the connection fails or ctx ends.
func writeSlowly(ctx context.Context, conn net.Conn, text string, every time.Duration) {
	for i := 0; ctx.Err() == nil; i = (i + 1) % len(text) {
		if _, err := io.WriteString(conn, text[i:i+1]); err != nil {
			return
		}
		time.Sleep(every)
	}
}

// TestTrickledHeadersAndBodies checks that slow clients delay no other, and that a connection whose header is not
// complete in time is closed.
func TestTrickledHeadersAndBodies(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	a := startInstance(t, instanceSettings{})
	stop := a.probeContinuously(t)
	ctx, cancel := context.WithCancel(t.Context())
	var slow sync.WaitGroup
	defer slow.Wait()
	defer cancel()
	heads := a.openConnections(t, 150)
	silent := a.openConnections(t, 50)
	for i, conn := range append(heads, a.openConnections(t, 150)...) {
		if i >= len(heads) { // an endless body, with and without a key
			path, who := "/console/sign-in", ""
			if i%2 == 0 {
				path, who = transcriptions, "Authorization: Bearer "+bootstrapKey+"\r\n"
			}
			fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\n%sContent-Type: multipart/form-data; boundary=b\r\n"+
				"Content-Length: 60000\r\n\r\n--b\r\n", path, who)
		}
		slow.Go(func() { writeSlowly(ctx, conn, "X-Slow: y\r\n", 100*time.Millisecond) })
	}
	for _, name := range []string{"order.flac", "time.flac"} { // other clients are served
		a.postForm(t, transcriptions, withFile(demoSample(t, name))).wantStatus(t, 200)
	}
	for _, conn := range append(heads, silent...) {
		mustSucceed(t, conn.SetReadDeadline(time.Now().Add(patience)))
		if _, err := io.Copy(io.Discard, conn); os.IsTimeout(err) {
			t.Fatal("a client that never finished its head is still there")
		}
	}
	stop()
}

// TestGarbage checks that bytes that are not HTTP, and ambiguous requests (request smuggling), get at most one refusal
// and no second answer.
func TestGarbage(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	a.probeContinuously(t)
	hidden := "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
	post := "POST /api/v1/calls HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + bootstrapKey + "\r\n"
	for name, sent := range map[string]string{
		"a huge header":          "GET /livez HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 1<<20) + "\r\n\r\n",
		"many headers":           "GET /livez HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: a\r\n", 40_000) + "\r\n",
		"a huge request line":    "GET /" + strings.Repeat("a", 1<<20) + " HTTP/1.1\r\nHost: x\r\n\r\n",
		"no HTTP":                "\x00\x01\x02 nothing at all\r\n\r\n",
		"TLS":                    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x7f", 400) + "\r\n\r\n",
		"SSH":                    "SSH-2.0-OpenSSH_9.9\r\n\r\n",
		"a version of its own":   "GET /livez HTTP/9.7\r\nHost: x\r\n\r\n",
		"no host":                "GET /livez HTTP/1.1\r\n\r\n",
		"two hosts":              "GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
		"a NUL in a header":      "GET /livez HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n",
		"a space before a colon": post + "Content-Length : 5\r\n\r\n" + hidden,
		"two lengths":            post + "Content-Length: 0\r\nContent-Length: 36\r\n\r\n" + hidden,
		"a length below zero":    post + "Content-Length: -1\r\n\r\n" + hidden,
		"a length with a sign":   post + "Content-Length: +0\r\n\r\n" + hidden,
		"a length too long":      post + "Content-Length: 99999999999999999999\r\n\r\n" + hidden,
		"an unknown encoding":    post + "Transfer-Encoding: xchunked\r\n\r\n" + hidden,
		"two encodings":          post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + hidden,
		"a length that is none":  post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n" + hidden,
		"a chunk without end":    post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n" + hidden,
		"a chunk of no size":     post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + hidden,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := a.openConnection(t)
			mustSucceed(t, conn.SetDeadline(time.Now().Add(patience)))
			_, _ = io.WriteString(conn, sent) // the connection may be closed while it is written to
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.CloseWrite() // it may be closed already
			}
			said, err := io.ReadAll(conn)
			if os.IsTimeout(err) {
				t.Fatalf("no end after %.200q", said)
			}
			answers := strings.Count(string(said), "HTTP/1.1 ")
			if answers > 1 || strings.Contains(string(said), "HTTP/1.1 2") {
				t.Errorf("%.400q", said)
			}
		})
	}
}

// TestPathTraversal checks that no spelling of a path leads out of the served files (path traversal).
func TestPathTraversal(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	for _, path := range []string{
		"/assets/../../../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
		"/samples/..\\..\\munadi.yaml", "//etc/passwd", "/console/../metrics", "/compat/v1/audio/jobs/..%2f..%2fsecret",
		"/api/v1/calls/..%2f..%2forganization", "/%00", "/assets/%c0%ae%c0%ae/munadi.yaml",
	} {
		conn := a.openConnection(t)
		mustSucceed(t, conn.SetDeadline(time.Now().Add(patience)))
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", path, bootstrapKey)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		mustSucceed(t, err)
		body, err := io.ReadAll(res.Body)
		mustSucceed(t, err)
		mustSucceed(t, res.Body.Close())
		if res.StatusCode < 300 || res.StatusCode >= 500 || strings.Contains(string(body), "root:") {
			t.Errorf("%s: %d %.200s", path, res.StatusCode, body)
		}
	}
}

// fileLimit returns the open-file limit of this process; the appliance is asked for a little less.
func fileLimit(t testing.TB) int {
	t.Helper()
	var limit unix.Rlimit
	mustSucceed(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	return int(min(limit.Cur, 1<<20))
}

// residentMiB returns the resident memory of the process in MiB.
func (a *testInstance) residentMiB(t testing.TB) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", a.process.PID()))
	mustSucceed(t, err)
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, err := strconv.Atoi(strings.Fields(value)[0])
			mustSucceed(t, err)
			return kib >> 10
		}
	}
	t.Fatal("no VmRSS")
	return 0
}
