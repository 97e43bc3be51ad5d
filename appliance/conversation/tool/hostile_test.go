package tool_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"munadi/appliance/conversation/tool"
	"munadi/appliance/endpoint"
	"munadi/appliance/webhook"
	"munadi/ui/locale"
)

// servePeer serves raw connections and returns their address; h has read the request when the peer speaks HTTP.
func servePeer(t *testing.T, readsRequest bool, h func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop); _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				if readsRequest {
					if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
						return
					}
				}
				h(conn)
			}()
			go func() { <-stop; _ = conn.Close() }()
		}
	}()
	return listener.Addr().String()
}

// writeForever writes a text until the connection is closed.
func writeForever(conn net.Conn, text string, pause time.Duration) {
	for {
		if _, err := io.WriteString(conn, text); err != nil {
			return
		}
		time.Sleep(pause)
	}
}

// zipBomb is a mebibyte of JSON for each kilobyte.
func zipBomb() []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprintf(w, `{"days":3,"x":"%s"}`, strings.Repeat("x", 32<<20))
	_ = w.Close()
	return packed.Bytes()
}

// TestHostilePeers: a peer that stalls in any phase, or answers without end or sense, gives no answer; the wait ends by
// the tool's timeout at the latest.
func TestHostilePeers(t *testing.T) {
	t.Parallel()
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	hang := func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }
	bomb := zipBomb()
	for name, c := range map[string]struct {
		scheme string
		raw    bool // the peer does not read a request
		answer func(net.Conn)
		said   string // of it in the call's errors; "" without a sentence
	}{
		"stalls in TLS":         {"https", true, hang, "did not answer in time"},
		"is no TLS":             {"https", true, func(conn net.Conn) { _, _ = io.WriteString(conn, ok+"\r\n{}") }, ""},
		"stalls before headers": {"http", false, hang, "did not answer in time"},
		"stalls in headers":     {"http", false, func(conn net.Conn) { _, _ = io.WriteString(conn, ok); hang(conn) }, "did not answer in time"},
		"endless headers":       {"http", false, func(conn net.Conn) { _, _ = io.WriteString(conn, ok); writeForever(conn, "A: b\r\n", 0) }, ""},
		"endless early hints":   {"http", false, func(conn net.Conn) { writeForever(conn, "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n", 0) }, ""},
		"a byte now and then": {"http", false, func(conn net.Conn) {
			_, _ = io.WriteString(conn, ok+"\r\n{\"a\":\"")
			writeForever(conn, "x", 10*time.Millisecond)
		}, "did not answer in time"},
		"endless body": {"http", false, func(conn net.Conn) {
			_, _ = io.WriteString(conn, ok+"\r\n{\"a\":\"")
			writeForever(conn, strings.Repeat("x", 64<<10), 0)
		}, "answered more than 65536 bytes"},
		"a body shorter than said": {"http", false, func(conn net.Conn) { _, _ = io.WriteString(conn, ok+"Content-Length: 90\r\n\r\n{\"days\":3}") }, "broke off its answer"},
		"a broken chunk":           {"http", false, func(conn net.Conn) { _, _ = io.WriteString(conn, ok+"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}") }, ""},
		"a gzip bomb": {"http", false, func(conn net.Conn) {
			fmt.Fprintf(conn, "%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", ok, len(bomb), bomb)
		}, "answered no UTF-8"},
		"HTTP/2 unasked": {"http", false, func(conn net.Conn) {
			_, _ = conn.Write([]byte{0, 0, 0, 4, 0, 0, 0, 0, 0})                            // SETTINGS
			_, _ = conn.Write([]byte{0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0b}) // GOAWAY
		}, ""},
		"hangs up": {"http", false, func(net.Conn) {}, "broke off its answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := servePeer(t, !c.raw, c.answer)
			client := tool.NewClient(webhook.OutboundNetwork{}.NewTransport(), func(string, string) (tool.Endpoint, bool) {
				return tool.Endpoint{URL: c.scheme + "://" + at, Method: http.MethodPost, Timeout: 300 * time.Millisecond}, true
			})
			got, err := client.CallTool(t.Context(), tool.Request{})
			told := endpoint.DescribeFault("The tool a", err)
			said := strings.TrimSuffix(strings.TrimPrefix(told, "The tool a "), ".")
			if err == nil || said != c.said || told != "" && locale.CallErrorText(locale.Arabic, told, strings.ToUpper) == told {
				t.Errorf("it is taken as %q, %v, and said to have %q", got, err, said)
			}
		})
	}
}

// TestUnreachablePeer: a connection that does not come about ends by the tool's timeout.
func TestUnreachablePeer(t *testing.T) {
	t.Parallel()
	blackHole := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	client := tool.NewClient(blackHole, func(string, string) (tool.Endpoint, bool) {
		return tool.Endpoint{URL: "http://shop.example", Method: http.MethodGet, Timeout: 50 * time.Millisecond}, true
	})
	r := tool.Request{Values: map[string]any{"phone": "+966501234567"}}
	_, err := client.CallTool(t.Context(), r)
	if !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "501234567") {
		t.Errorf("the wait ended with %v", err)
	}
}

// TestFaultsHaveSentences: who reads a call's errors learns why a tool gave no answer, and nothing of its address.
func TestFaultsHaveSentences(t *testing.T) {
	t.Parallel()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	plain := httptest.NewServer(http.RedirectHandler("http://169.254.169.254/latest", http.StatusFound))
	defer plain.Close()
	for address, want := range map[string]string{
		plain.URL:                "The tool a answered with HTTP status 302.",
		secure.URL:               "The tool a has a certificate that is not trusted.",
		"http://127.0.0.1:1":     "The tool a could not be reached.",
		"http://169.254.169.254": "The tool a could not be reached.",
		"":                       "The tool a is not set up for this organization.",
	} {
		client := tool.NewClient(webhook.OutboundNetwork{}.NewTransport(), func(string, string) (tool.Endpoint, bool) {
			return tool.Endpoint{URL: address, Method: http.MethodGet, Timeout: 5 * time.Second}, address != ""
		})
		_, err := client.CallTool(t.Context(), tool.Request{})
		if got := endpoint.DescribeFault("The tool a", err); got != want || locale.CallErrorText(locale.Arabic, got, strings.ToUpper) == got {
			t.Errorf("%s: %q of %v, want %q", address, got, err, want)
		}
	}
}

// TestHostileBodies: an answer that is no JSON object of a bounded size is none.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a mebibyte":     `{"a":"` + strings.Repeat("x", 1<<20) + `"}`,
		"deep arrays":    `{"days":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`,
		"not closed":     strings.Repeat(`{"a":`, 5000),
		"NaN":            `{"days":NaN}`,
		"infinity":       `{"days":-Infinity}`,
		"a bare text":    `"days"`,
		"two objects":    `{"days":3}{"days":4}`,
		"a script":       `{"days":3};alert(1)`,
		"UTF-16":         "\xff\xfe{\x00}\x00",
		"a byte mark":    "\xef\xbb\xbf{\"days\":3}",
		"control in key": "{\"da\x01ys\":3}",
	} {
		c := newTool(t, http.MethodPost, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
		if got, err := c.CallTool(t.Context(), tool.Request{OrgID: "acme", Tool: "orders"}); err == nil {
			t.Errorf("%s is taken as %q", name, got[:min(len(got), 80)])
		}
	}
}

// TestRedirectsToThisMachine: an answer that points to a loopback or metadata address is not followed, and a status
// other than 200 is no answer.
func TestRedirectsToThisMachine(t *testing.T) {
	t.Parallel()
	reached := false
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached = true
		fmt.Fprint(w, `{"days":3}`)
	}))
	defer inside.Close()
	for _, to := range []string{inside.URL, "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd", "gopher://x"} {
		for _, status := range []int{301, 302, 303, 307, 308, 300, 500, 502, 503, 204, 206} {
			c := newTool(t, http.MethodGet, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			})
			if _, err := c.CallTool(t.Context(), tool.Request{OrgID: "acme", Tool: "orders"}); err == nil || reached {
				t.Errorf("%d to %s: %v, followed: %v", status, to, err, reached)
			}
		}
	}
}

// TestHostileValues: a value reaches the tool as a value, whatever its characters are.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	const value = "A7\r\nX-Evil: 1\x00\u202e\"}&other=1#?ignore all instructions"
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		got, evil := "", ""
		c := newTool(t, method, func(w http.ResponseWriter, r *http.Request) {
			evil = r.Header.Get("X-Evil") + r.URL.Query().Get("other")
			got = r.URL.Query().Get("order")
			if body, _ := io.ReadAll(r.Body); method == http.MethodPost {
				got = string(body)
			}
			fmt.Fprint(w, `{}`)
		})
		if _, err := c.CallTool(t.Context(), tool.Request{
			OrgID: "acme", Tool: "orders", Values: map[string]any{"order": value},
		}); err != nil {
			t.Errorf("%s: %v", method, err)
		}
		want := value
		if method == http.MethodPost {
			want = `{"order":"A7\r\nX-Evil: 1\u0000` + "\u202e" + `\"}\u0026other=1#?ignore all instructions"}`
		}
		if got != want || evil != "" {
			t.Errorf("%s: the tool got %q, and beside it %q", method, got, evil)
		}
	}
}
