package tool_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/conversation/tool"
	"munadi/appliance/webhook"
)

// newTool returns a client of one tool, "orders" of "acme", that is a handler.
func newTool(t *testing.T, method string, h http.HandlerFunc) *tool.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return tool.NewClient(webhook.OutboundNetwork{}.NewTransport(), func(orgID, name string) (tool.Endpoint, bool) {
		return tool.Endpoint{
			URL: server.URL + "/orders?shop=1", Method: method, KeyEnv: "TEST_TOOL_KEY", Timeout: 5 * time.Second,
		}, orgID == "acme" && name == "orders"
	})
}

func TestRequests(t *testing.T) {
	t.Setenv("TEST_TOOL_KEY", "k1")
	for method, want := range map[string]string{
		http.MethodPost: `POST /orders?shop=1 Bearer k1 application/json {"count":12345678,"none":null,"order":"A 7"}`,
		http.MethodGet:  `GET /orders?count=12345678&order=A+7&shop=1 Bearer k1  `,
	} {
		var got string
		c := newTool(t, method, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got = strings.Join([]string{
				r.Method, r.RequestURI, r.Header.Get("Authorization"), r.Header.Get("Content-Type"), string(body),
			}, " ")
			fmt.Fprint(w, `{"days": 3}`)
		})
		answer, err := c.CallTool(t.Context(), tool.Request{
			OrgID: "acme", Tool: "orders", Values: map[string]any{"order": "A 7", "count": 12345678.0, "none": nil},
		})
		if err != nil || answer != `{"days": 3}` || got != want {
			t.Errorf("%s: %q, %v, asked %q", method, answer, err, got)
		}
	}
}

// TestClosedConnection: where the server has closed a kept connection meanwhile, the request is sent again on a new one,
// with the same key, which the next request does not have.
func TestClosedConnection(t *testing.T) {
	t.Parallel()
	keys := make(chan string, 9)
	var connections atomic.Int32
	at := servePeer(t, false, func(conn net.Conn) {
		reader, first := bufio.NewReader(conn), connections.Add(1) == 1
		for n := 1; ; n++ {
			r, err := http.ReadRequest(reader)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, r.Body)
			keys <- r.Header.Get("Idempotency-Key")
			if first && n == 2 {
				return // as if it had been closed before the request came
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
		}
	})
	c := tool.NewClient(webhook.OutboundNetwork{}.NewTransport(), func(string, string) (tool.Endpoint, bool) {
		return tool.Endpoint{URL: "http://" + at, Method: http.MethodPost, Timeout: 5 * time.Second}, true
	})
	for _, key := range []string{"call_1-look-1", "call_1-look-2", ""} {
		if _, err := c.CallTool(t.Context(), tool.Request{Key: key}); err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
	var got [4]string
	for i := range got {
		got[i] = <-keys
	}
	if got[0] != "call_1-look-1" || got[1] != "call_1-look-2" || got[2] != got[1] || len(got[3]) != 36 {
		t.Errorf("the keys are %q", got)
	}
}

func TestAnswersThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"status":   func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "{}", http.StatusTeapot) },
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/orders", http.StatusFound) },
		"list":     func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `[{}]`) },
		"null":     func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `null`) },
		"nothing":  func(http.ResponseWriter, *http.Request) {},
		"no UTF-8": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{\"a\":\"\xff\"}") },
		"too long": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"a":"%s"}`, strings.Repeat("x", 64<<10))
		},
	} {
		c := newTool(t, http.MethodPost, answer)
		if got, err := c.CallTool(t.Context(), tool.Request{OrgID: "acme", Tool: "orders"}); err == nil {
			t.Errorf("%s is taken as %q", name, got)
		}
	}
}

func TestToolsOfOthersAreNone(t *testing.T) {
	t.Parallel()
	c := newTool(t, http.MethodPost, func(http.ResponseWriter, *http.Request) { t.Error("a tool was asked") })
	for _, r := range []tool.Request{{OrgID: "other", Tool: "orders"}, {OrgID: "acme", Tool: "stock"}} {
		if _, err := c.CallTool(t.Context(), r); !errors.Is(err, tool.ErrNoTool) {
			t.Errorf("%v: %v", r, err)
		}
	}
}

// TestToolThatStalls checks that a tool's own timeout ends the wait, also in the middle of its answer.
func TestToolThatStalls(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"days":`)
		_ = http.NewResponseController(w).Flush()
		<-release
	}))
	defer server.Close()
	defer close(release)
	c := tool.NewClient(webhook.OutboundNetwork{}.NewTransport(), func(string, string) (tool.Endpoint, bool) {
		return tool.Endpoint{URL: server.URL, Method: http.MethodPost, Timeout: 200 * time.Millisecond}, true
	})
	if _, err := c.CallTool(t.Context(), tool.Request{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the wait ended with %v", err)
	}
}
