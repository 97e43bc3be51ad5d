package whole_test

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"
)

// TestFullQueue: beyond --queue there is 429 with Retry-After, and room again once a request has gone.
func TestFullQueue(t *testing.T) {
	t.Parallel()
	a := start(t, settings{args: []string{"--queue", "1"}})
	last := a.running(t, 300)
	for _, refuse := range []func() answer{
		func() answer { return a.post(t, transcriptions, file(golden(t, "g00.wav"))) },
		func() answer { return a.post(t, transcriptions, file(golden(t, "g00.wav")), field("stream", "true")) },
		func() answer { return a.post(t, debugDecode, file(golden(t, "g00.wav"))) },
	} {
		got := refuse().want(t, http.StatusTooManyRequests)
		if s, err := strconv.Atoi(got.Header.Get("Retry-After")); err != nil || s < 1 || got.detail(t) == "" {
			t.Errorf("Retry-After %q: %s", got.Header.Get("Retry-After"), got)
		}
	}
	job := a.enqueue(t, file(golden(t, "g00.wav"))) // a job waits
	if e, whole := <-last; !whole || e.Type != "transcript.text.done" {
		t.Errorf("the first ended as %+v", e)
	}
	if got := a.finish(t, job); got["text"] != goldenText {
		t.Errorf("the job heard %v", got)
	}
	a.post(t, transcriptions, file(golden(t, "g00.wav"))).want(t, 200)
}

// TestClientThatGoesAway frees the engine within 250 ms, whether it streamed or waited. A busy machine may take longer
// to notice: the best of three counts.
func TestClientThatGoesAway(t *testing.T) {
	t.Parallel()
	a := start(t, settings{})
	recording := file(wav(t, repeated(t, sample(t, "order.flac"), 900)))
	for name, wish := range map[string]part{"waiting": field("stream", "false"), "streaming": field("stream", "true")} {
		best := time.Hour
		for range 3 {
			ctx, leave := context.WithCancel(t.Context())
			r := newRequest([]part{recording, wish}).build(t, http.MethodPost, a.URL+transcriptions).WithContext(ctx)
			var gone sync.WaitGroup
			gone.Go(func() {
				if res, err := http.DefaultClient.Do(r); err == nil {
					_, _ = eventsOf(res.Body) // it breaks off
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
		t.Logf("%s: the engine was free %v after the client had gone", name, best)
		if best > 250*time.Millisecond {
			t.Errorf("%s: the engine was free %v after the client had gone", name, best)
		}
	}
}

// awaitRequests waits until the engine has admitted so many.
func (a *instance) awaitRequests(t testing.TB, n string) {
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

// TestManyAtOnce: parallel uploads of all kinds, each with its own answer.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	a := shared(t)
	want := map[string]string{"confirm.flac": confirmText, "time.flac": timeText}
	var all sync.WaitGroup
	for i := range 48 {
		name := []string{"confirm.flac", "time.flac"}[i%2]
		r := newRequest([]part{file(sample(t, name)), field("response_format", "text")}).
			build(t, http.MethodPost, a.URL+transcriptions)
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
