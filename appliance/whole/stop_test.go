package whole_test

import (
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// running begins a stream that keeps the engine busy, and returns when its first piece is there. The channel gives the
// whole answer's last event, or is closed when it broke off.
func (a *instance) running(t testing.TB, seconds float64) <-chan event {
	t.Helper()
	r := newRequest([]part{
		file(wav(t, repeated(t, sample(t, "order.flac"), seconds))), field("stream", "true"),
	}).build(t, http.MethodPost, a.URL+transcriptions)
	last := make(chan event, 1)
	begun := make(chan struct{})
	go func() {
		defer close(last)
		res, err := http.DefaultClient.Do(r)
		close(begun) // headers come with the first piece
		if err != nil {
			return
		}
		defer res.Body.Close()
		if events, err := eventsOf(res.Body); err == nil && len(events) > 0 {
			last <- events[len(events)-1]
		}
	}()
	<-begun
	return last
}

// TestSIGTERM: readiness falls, new work is refused, what runs ends whole, and the exit code is 0.
func TestSIGTERM(t *testing.T) {
	t.Parallel()
	a := start(t, settings{})
	last := a.running(t, 300)
	a.signal(t, syscall.SIGTERM)
	if _, err := a.log.await(regexp.MustCompile("msg=stopping"), a.exited()); err != nil {
		t.Fatal(err)
	}
	if status, body := a.probe(t.Context(), "/readyz"); status != 503 || body != `{"status":"draining"}` {
		t.Errorf("/readyz while draining: %d %s", status, body)
	}
	if status, body := a.probe(t.Context(), "/livez"); status != 200 || body != `{"status":"alive"}` {
		t.Errorf("/livez while draining: %d %s", status, body)
	}
	if status, body := a.probe(t.Context(), "/health"); status != 200 || !strings.Contains(body, `"status":"ok"`) {
		t.Errorf("/health while draining: %d %s", status, body)
	}
	for _, path := range []string{transcriptions, jobs, debugDecode} {
		got := a.post(t, path, file(golden(t, "g00.wav"))).want(t, 503)
		if got.detail(t) == "" || got.Header.Get("Retry-After") == "" {
			t.Errorf("%s while draining: %v %s", path, got.Header, got)
		}
	}
	a.post(t, transcriptions, key("")).want(t, 401)
	e, whole := <-last
	if !whole || e.Type != "transcript.text.done" || strings.Count(e.Text, "توصيل") < 300/17-2 {
		t.Errorf("what ran ended as %+v", e)
	}
	if code := a.wait(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if status, _ := a.probe(t.Context(), "/livez"); status != 0 {
		t.Errorf("answers after its end: %d", status)
	}
}

// TestSecondSIGTERM ends the process at once, whatever runs.
func TestSecondSIGTERM(t *testing.T) {
	t.Parallel()
	a := start(t, settings{})
	last := a.running(t, 900)
	a.signal(t, syscall.SIGTERM)
	if _, err := a.log.await(regexp.MustCompile("msg=stopping"), a.exited()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond) // earlier it would count as a repetition of the first
	asked := time.Now()
	a.signal(t, syscall.SIGTERM)
	a.wait(t)
	if took := time.Since(asked); took > 3*time.Second {
		t.Errorf("ended %v after the second signal", took)
	}
	a.pardoned = true // it was to be cut off
	for e := range last {
		if e.Type == "transcript.text.done" {
			t.Error("the stream was whole: nothing ran when the second signal came")
		}
	}
	b := start(t, settings{data: a.Data, noKey: true}) // and nothing is broken
	b.post(t, transcriptions, file(golden(t, "g00.wav"))).want(t, 200)
}

// TestSIGTERMWhileLoading: it ends as orderly, also where the signal comes twice at once, as timeout(1) sends it.
func TestSIGTERMWhileLoading(t *testing.T) {
	t.Parallel()
	for _, repeated := range []bool{false, true} {
		a, err := launch(binary(t), settings{data: t.TempDir()})
		must(t, err)
		if repeated {
			a.signal(t, syscall.SIGTERM)
		}
		a.stop(t)
		must(t, a.end())
	}
}

// TestSIGINT is what a terminal's Ctrl-C sends.
func TestSIGINT(t *testing.T) {
	t.Parallel()
	a := start(t, settings{})
	a.signal(t, syscall.SIGINT)
	if code := a.wait(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
