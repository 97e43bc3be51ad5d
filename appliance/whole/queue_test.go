package whole_test

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"
)

// TestFullQueue checks that a request beyond --queue gets 429 with Retry-After, and that the next one is served when a
// request has ended.
func TestFullQueue(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--queue", "1"}})
	last := a.beginStream(t, 300)
	for _, refuse := range []func() testAnswer{
		func() testAnswer { return a.postForm(t, transcriptions, withFile(goldenRecording(t, "g00.wav"))) },
		func() testAnswer {
			return a.postForm(t, transcriptions, withFile(goldenRecording(t, "g00.wav")), withField("stream", "true"))
		},
		func() testAnswer { return a.postForm(t, debugDecode, withFile(goldenRecording(t, "g00.wav"))) },
	} {
		got := refuse().wantStatus(t, http.StatusTooManyRequests)
		if s, err := strconv.Atoi(got.Header.Get("Retry-After")); err != nil || s < 1 || got.failureDetail(t) == "" {
			t.Errorf("Retry-After %q: %s", got.Header.Get("Retry-After"), got)
		}
	}
	job := a.enqueueJob(t, withFile(goldenRecording(t, "g00.wav"))) // jobs wait instead
	if e, whole := <-last; !whole || e.Type != "transcript.text.done" {
		t.Errorf("the first ended as %+v", e)
	}
	if got := a.awaitJobResult(t, job); got["text"] != goldenText {
		t.Errorf("the job heard %v", got)
	}
	a.postForm(t, transcriptions, withFile(goldenRecording(t, "g00.wav"))).wantStatus(t, 200)
}

// TestClientThatGoesAway checks that the engine is free soon after a client has disconnected, with or without streaming:
// sooner than a fifteenth of its recording is transcribed on the same machine. The best of three tries counts.
func TestClientThatGoesAway(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	began := time.Now()
	a.postForm(t, transcriptions, withFile(encodeWAV(t, repeatedRecording(t, demoSample(t, "order.flac"), 60)))).wantStatus(t, 200)
	fifteenth := time.Since(began)
	recording := withFile(encodeWAV(t, repeatedRecording(t, demoSample(t, "order.flac"), 900)))
	for name, wish := range map[string]requestPart{"waiting": withField("stream", "false"), "streaming": withField("stream", "true")} {
		best := time.Hour
		for range 3 {
			ctx, leave := context.WithCancel(t.Context())
			r := newRequest([]requestPart{recording, wish}).newHTTPRequest(t, http.MethodPost, a.URL+transcriptions).WithContext(ctx)
			var gone sync.WaitGroup
			gone.Go(func() {
				if res, err := http.DefaultClient.Do(r); err == nil {
					_, _ = eventsOf(res.Body) // the stream breaks off
					_ = res.Body.Close()
				}
			})
			a.awaitRequests(t, "1")
			left := time.Now()
			leave()
			a.awaitRequests(t, "0")
			best = min(best, time.Since(left))
			gone.Wait()
		}
		t.Logf("%s: the engine was free %v after the client had gone, a minute takes it %v", name, best, fifteenth)
		if best > fifteenth {
			t.Errorf("%s: the engine was free %v after the client had gone", name, best)
		}
	}
}

// awaitRequests waits until the engine has admitted n requests.
func (a *testInstance) awaitRequests(t testing.TB, n string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for got := ""; got != n; got = a.requestsOn(ctx) {
		select {
		case <-ctx.Done():
			t.Fatalf("munadi_stt_requests is %s, never %s", got, n)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// TestManyAtOnce checks that parallel uploads of all kinds each get their own answer.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	want := map[string]string{"confirm.flac": confirmText, "time.flac": timeText}
	var all sync.WaitGroup
	for i := range 48 {
		name := []string{"confirm.flac", "time.flac"}[i%2]
		r := newRequest([]requestPart{withFile(demoSample(t, name)), withField("response_format", "text")}).
			newHTTPRequest(t, http.MethodPost, a.URL+transcriptions)
		all.Go(func() {
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			text := make([]byte, 200)
			n, _ := res.Body.Read(text)
			if res.StatusCode != 200 || string(text[:n]) != want[name]+"\n" {
				t.Errorf("%s: %d %q", name, res.StatusCode, text[:n])
			}
		})
	}
	all.Wait()
}
