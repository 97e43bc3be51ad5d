package llm_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"munadi/appliance/conversation/llm"
	"munadi/appliance/endpoint"
	"munadi/appliance/webhook"
	"munadi/ui/locale"
)

// TestHostileEndpoints: an answer without end or sense, over the transport that calls use, is an error; its text so far
// is bounded, and what is not text is never spoken.
func TestHostileEndpoints(t *testing.T) {
	t.Parallel()
	event := func(w http.ResponseWriter, data string) error {
		_, err := io.WriteString(w, "data: "+data+"\n\n")
		return err
	}
	call := `{"choices":[{"delta":{"tool_calls":[{"id":"c%d","function":{"name":"orders","arguments":"{}"}}]}}]}`
	for name, answer := range map[string]http.HandlerFunc{
		"comments without end": func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := io.WriteString(w, ": ping\n\n"); err != nil {
					return
				}
			}
		},
		"a comment now and then": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, ": ping\n\n")
				w.(http.Flusher).Flush()
				time.Sleep(5 * time.Millisecond)
			}
		},
		"empty events without end": func(w http.ResponseWriter, _ *http.Request) {
			for event(w, `{"choices":[]}`) == nil {
				continue
			}
		},
		"a thousand calls": func(w http.ResponseWriter, _ *http.Request) {
			for n := range 1000 {
				_ = event(w, fmt.Sprintf(call, n))
			}
			_ = event(w, "[DONE]")
		},
		"a call's name without end": func(w http.ResponseWriter, _ *http.Request) {
			for range 40 {
				_ = event(w, `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"`+strings.Repeat("n", 1000)+`"}}]}}]}`)
			}
			_ = event(w, "[DONE]")
		},
		"a gzip bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			_, _ = io.WriteString(z, strings.Repeat(": ping\n", 4<<20))
			_ = z.Close()
			_, _ = w.Write(packed.Bytes())
		},
		"deep nesting": func(w http.ResponseWriter, _ *http.Request) {
			_ = event(w, `{"choices":`+strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000)+`}`)
		},
		"NaN":          func(w http.ResponseWriter, _ *http.Request) { _ = event(w, `{"choices":[{"delta":{"content":NaN}}]}`) },
		"a wrong type": func(w http.ResponseWriter, _ *http.Request) { _ = event(w, `{"choices":[{"delta":{"content":7}}]}`) },
		"choices object": func(w http.ResponseWriter, _ *http.Request) {
			_ = event(w, `{"choices":{"delta":{"content":"نعم"}}}`)
		},
		"too many requests": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"to the metadata address": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusTemporaryRedirect)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(answer)
			defer server.Close()
			transport := webhook.OutboundNetwork{}.NewTransport()
			defer transport.CloseIdleConnections()
			client := llm.NewClient(transport, func(string, string) (llm.ChatEndpoint, bool) {
				return llm.ChatEndpoint{URL: server.URL + "/v1", Model: "m"}, true
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			got, err := client.Reply(ctx, question, func(piece string) error {
				if piece != "" {
					t.Errorf("it says %q", piece)
				}
				return nil
			})
			if err == nil || len(got.Calls) > 0 {
				t.Errorf("it answers %q with %d calls: %v", got.Text, len(got.Calls), err)
			}
			if told := endpoint.DescribeFault("The language model", err); told != "" && locale.CallErrorText(locale.Arabic, told, strings.ToUpper) == told {
				t.Errorf("no translation of %q", told)
			}
		})
	}
}

// TestStreamWithoutEnd: a stream whose end is that of its connection is whole with [DONE] or a finish_reason; without
// them it may have broken off anywhere.
func TestStreamWithoutEnd(t *testing.T) {
	t.Parallel()
	const half = "موعدكم يوم"
	piece := `data: {"choices":[{"delta":{"content":"` + half + `"},"finish_reason":%s}]}` + "\n\n"
	for name, c := range map[string]struct {
		answer, text string
		whole, isCut bool
	}{
		"no events":    {"<html>", "", false, false},
		"broken off":   {fmt.Sprintf(piece, "null"), half, false, false},
		"done":         {fmt.Sprintf(piece, "null") + "data: [DONE]\n\n", half, true, false},
		"with reason":  {fmt.Sprintf(piece, `"stop"`), half, true, false},
		"at its limit": {fmt.Sprintf(piece, `"length"`) + "data: [DONE]\n\n", half, true, true},
	} {
		client := newTestClient(t, "", func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n%s", c.answer)
			_ = conn.Close()
		})
		reply, err := client.Reply(t.Context(), question, ignoreText)
		if reply.Text != c.text || (err == nil) != c.whole || reply.CutOff != c.isCut {
			t.Errorf("%s: %+v, %v", name, reply, err)
		}
	}
}
