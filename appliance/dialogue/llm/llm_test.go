package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"munadi/appliance/dialogue/llm"
	"munadi/appliance/webhook"
	"munadi/store/scenario"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func serve(t *testing.T, h http.HandlerFunc) (*llm.Client, scenario.LLM) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return llm.New(transport), scenario.LLM{URL: server.URL + "/v1/", Model: "m"}
}

var question = []llm.Message{{Role: "system", Content: "كن لطيفا"}, {Role: "user", Content: "متى تفتحون"}}

func TestReply(t *testing.T) {
	t.Setenv("MUNADI_LLM_KEY_TEST", "secret")
	c, endpoint := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model    string
			Messages []llm.Message
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Model != "m" || len(body.Messages) != 2 {
			t.Errorf("body %+v, %v", body, err)
		}
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%s with %v", r.URL, r.Header)
		}
		_, _ = io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"غدا صباحا"}}]}`)
	})
	endpoint.KeyEnv = "MUNADI_LLM_KEY_TEST"
	got, err := c.Reply(t.Context(), endpoint, question)
	if err != nil || got != "غدا صباحا" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestOnlyItsOwnKeysAreRead(t *testing.T) {
	t.Setenv("HOME_SECRET", "secret")
	c, endpoint := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "" {
			t.Errorf("Authorization %q", got)
		}
		w.WriteHeader(http.StatusTeapot)
	})
	endpoint.KeyEnv = "HOME_SECRET"
	if _, err := c.Reply(t.Context(), endpoint, question); err == nil {
		t.Error("418 is no answer")
	}
}

func TestBadEndpoints(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"status":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"garbage": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"nothing": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"choices":[]}`) },
		"blank": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"choices":[{"message":{"content":" "}}]}`)
		},
		"endless": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("a", 2<<20)) },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/v1/chat/completions", http.StatusFound)
		},
		"hangs up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, endpoint := serve(t, answer)
			if got, err := c.Reply(t.Context(), endpoint, question); err == nil {
				t.Errorf("it answers %q", got)
			}
		})
	}
}

// TestServerThatHangs costs the caller's deadline and no more.
func TestServerThatHangs(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	c, endpoint := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[`)
		w.(http.Flusher).Flush()
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := c.Reply(ctx, endpoint, question); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestMetadataAddressesAreRefused(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://169.254.169.254/v1", "http://[fe80::1]/v1", "http://0.0.0.0/v1", "http://[::ffff:169.254.169.254]/v1"} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		_, err := llm.New(webhook.Network{}.Transport()).Reply(ctx, scenario.LLM{URL: address, Model: "m"}, question)
		cancel()
		if err == nil || !strings.Contains(err.Error(), "may not be called") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
