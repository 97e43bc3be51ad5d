package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"munadi/appliance/conversation/llm"
	"munadi/appliance/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newTestClient returns a client whose organization "one" has the endpoint "local", served by h.
func newTestClient(t *testing.T, keyEnv string, h http.HandlerFunc) *llm.ChatClient {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return llm.NewClient(transport, func(orgID, name string) (llm.ChatEndpoint, bool) {
		return llm.ChatEndpoint{URL: server.URL + "/v1/", Model: "m", KeyEnv: keyEnv}, orgID == "one" && name == "local"
	})
}

var question = llm.ChatRequest{
	OrgID: "one", Endpoint: "local",
	Messages: []llm.ChatMessage{{Role: "system", Content: "كن لطيفا"}, {Role: "user", Content: "متى تفتحون"}},
}

func ignoreText(string) error { return nil }

// writeStream writes pieces as OpenAI's API does.
func writeStream(w http.ResponseWriter, pieces ...string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	_, _ = io.WriteString(w, `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`+"\n\n")
	for _, piece := range pieces {
		data, _ := json.Marshal(piece)
		_, _ = fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}],"usage":null}`+"\n\n", data)
		w.(http.Flusher).Flush()
	}
}

// untilGone waits until the client has closed its connection, which a server notices after it has read the body.
func untilGone(r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

const done = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n" +
	`data: {"choices":[],"usage":{"total_tokens":7}}` + "\n\ndata: [DONE]\n\n"

func TestReplyStreams(t *testing.T) {
	t.Setenv("SOME_KEY", "secret")
	c := newTestClient(t, "SOME_KEY", func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model    string
			Stream   bool
			Messages []llm.ChatMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Model != "m" || !body.Stream || len(body.Messages) != 2 {
			t.Errorf("body %+v, %v", body, err)
		}
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%s with %v", r.URL, r.Header)
		}
		_, _ = io.WriteString(w, ": keep-alive\n\n")
		writeStream(w, "غدا ", "صباحا. ", "أهلا")
		_, _ = io.WriteString(w, done)
	})
	var pieces []string
	got, err := c.Reply(t.Context(), question, func(piece string) error {
		if piece != "" {
			pieces = append(pieces, piece)
		}
		return nil
	})
	if err != nil || got.Text != "غدا صباحا. أهلا" || strings.Join(pieces, "|") != "غدا |صباحا. |أهلا" {
		t.Errorf("%+v in %q, %v", got, pieces, err)
	}
}

// TestServerThatDoesNotStream checks that an answer in one JSON body is accepted too.
func TestServerThatDoesNotStream(t *testing.T) {
	t.Parallel()
	c := newTestClient(t, "", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("a key is sent though none is set")
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"غدا صباحا"}}]}`)
	})
	if got, err := c.Reply(t.Context(), question, ignoreText); err != nil || got.Text != "غدا صباحا" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSchemaIsSent(t *testing.T) {
	t.Parallel()
	c := newTestClient(t, "", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !strings.Contains(string(body), `"response_format":{"json_schema":{"name":"answers","schema":{"type":"object"}},"type":"json_schema"}`) {
			t.Errorf("%s, %v", body, err)
		}
		writeStream(w, `{"a":1}`)
		_, _ = io.WriteString(w, done)
	})
	r := question
	r.Schema = []byte(`{"type":"object"}`)
	if got, err := c.Reply(t.Context(), r, ignoreText); err != nil || got.Text != `{"a":1}` {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestEndpointOfOthers checks that an endpoint that is not available to an organization is unknown to it, and is not
// called.
func TestEndpointOfOthers(t *testing.T) {
	t.Parallel()
	c := newTestClient(t, "", func(http.ResponseWriter, *http.Request) { t.Error("it was called") })
	for _, r := range []llm.ChatRequest{{OrgID: "two", Endpoint: "local"}, {OrgID: "one", Endpoint: "none"}, {}} {
		if _, err := c.Reply(t.Context(), r, ignoreText); !errors.Is(err, llm.ErrNoEndpoint) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

func TestBadEndpoints(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"status":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"garbage": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"nothing": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, done) },
		"blank":   func(w http.ResponseWriter, _ *http.Request) { writeStream(w, " ", "\n") },
		"error": func(w http.ResponseWriter, _ *http.Request) {
			writeStream(w, "غ")
			_, _ = io.WriteString(w, `data: {"error":{"message":"x"}}`)
		},
		"no json": func(w http.ResponseWriter, _ *http.Request) {
			writeStream(w, "غ")
			_, _ = io.WriteString(w, "data: <html>\n")
		},
		"endless": func(w http.ResponseWriter, _ *http.Request) {
			for range 40_000 {
				writeStream(w, "كلمة ")
			}
		},
		"endless line": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("a", 2<<20)) },
		"endless object": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, strings.Repeat(" ", 2<<20))
		},
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/v1/chat/completions", http.StatusFound)
		},
		"hangs up": func(w http.ResponseWriter, _ *http.Request) { writeStream(w, "غدا"); panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := newTestClient(t, "", answer).Reply(t.Context(), question, ignoreText); err == nil {
				t.Errorf("it answers %+v", got)
			}
		})
	}
}

func TestCallerStopsTheAnswer(t *testing.T) {
	t.Parallel()
	c := newTestClient(t, "", func(w http.ResponseWriter, r *http.Request) { writeStream(w, "a", "b"); untilGone(r) })
	enough := errors.New("enough")
	if _, err := c.Reply(t.Context(), question, func(p string) error {
		if p == "b" {
			return enough
		}
		return nil
	}); !errors.Is(err, enough) {
		t.Error(err)
	}
}

// TestServerThatStalls checks that a server that stalls at any point costs no more than the caller's deadline.
func TestServerThatStalls(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(w http.ResponseWriter){
		"before the head": func(http.ResponseWriter) {},
		"in an event":     func(w http.ResponseWriter) { _, _ = io.WriteString(w, `data: {"choices":[`); w.(http.Flusher).Flush() },
		"between events":  func(w http.ResponseWriter) { writeStream(w, "نعم ", "نفتح") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newTestClient(t, "", func(w http.ResponseWriter, r *http.Request) { begin(w); untilGone(r) })
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			if _, err := c.Reply(ctx, question, ignoreText); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestMetadataAddressesAreRefused(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://169.254.169.254/v1", "http://[fe80::1]/v1", "http://0.0.0.0/v1", "http://[::ffff:169.254.169.254]/v1"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		at := func(string, string) (llm.ChatEndpoint, bool) { return llm.ChatEndpoint{URL: address, Model: "m"}, true }
		_, err := llm.NewClient(webhook.OutboundNetwork{}.NewTransport(), at).Reply(ctx, question, ignoreText)
		cancel()
		if err == nil || !strings.Contains(err.Error(), "may not be called") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestToolCallsStream checks calls whose arguments come in pieces, as OpenAI's API sends them, and whole, without index
// and id, as Ollama and others do.
func TestToolCallsStream(t *testing.T) {
	t.Parallel()
	pieces := func(all ...string) string {
		var b strings.Builder
		for _, p := range all {
			b.WriteString(`data: {"choices":[{"index":0,"delta":{"tool_calls":[` + p + `]}}]}` + "\n\n")
		}
		return b.String() + "data: [DONE]\n\n"
	}
	many := strings.Repeat(`{"function":{"name":"t","arguments":"{}"}},`, 9)
	for name, c := range map[string]struct {
		stream string
		want   string
	}{
		"in pieces": {pieces(`{"index":0,"id":"a","type":"function","function":{"name":"orders","arguments":""}}`,
			`{"index":0,"function":{"arguments":"{\"n\":"}}`, `{"index":0,"function":{"arguments":"5}"}}`,
			`{"index":1,"id":"b","function":{"name":"slots","arguments":"{}"}}`), `[{a orders {"n":5}} {b slots {}}]`},
		"whole": {pieces(`{"function":{"name":"orders","arguments":{"n":5}}},{"function":{"name":"slots"}}`), `[{call_0 orders {"n":5}} {call_1 slots {}}]`},
		"same place": {pieces(`{"index":0,"id":"a","function":{"name":"orders","arguments":"{}"}}`,
			`{"index":0,"id":"b","function":{"name":"slots","arguments":"{}"}}`), `[{a orders {}} {b slots {}}]`},
		"too many": {pieces(strings.TrimSuffix(many, ",")), "the model called more than 4 tools at once"},
		"too long": {
			pieces(`{"index":0,"id":"a","function":{"name":"orders","arguments":"` + strings.Repeat("x", 17<<10) + `"}}`),
			"the arguments of a tool that the model called have more than 16384 bytes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newTestClient(t, "", func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, c.stream)
			})
			reply, err := client.Reply(t.Context(), question, ignoreText)
			got := fmt.Sprint(reply.Calls)
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
