package whole_test

import (
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// beginStream starts a streamed transcription that keeps the engine busy, and returns after its first event. The
// channel receives the last event, or is closed if the stream broke off.
func (a *testInstance) beginStream(t testing.TB, seconds float64) <-chan streamEvent {
	t.Helper()
	r := newRequest([]requestPart{
		withFile(encodeWAV(t, repeatedRecording(t, demoSample(t, "order.flac"), seconds))), withField("stream", "true"),
	}).newHTTPRequest(t, http.MethodPost, a.URL+transcriptions)
	last := make(chan streamEvent, 1)
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

// TestSIGTERM checks that readiness falls, new requests are refused, running ones complete, and the exit code is 0.
func TestSIGTERM(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	last := a.beginStream(t, 300)
	a.sendSignal(t, syscall.SIGTERM)
	if _, err := a.log.awaitPattern(regexp.MustCompile("msg=stopping"), a.processExited()); err != nil {
		t.Fatal(err)
	}
	if status, body := a.probePath(t.Context(), "/readyz"); status != 503 || body != `{"status":"draining"}` {
		t.Errorf("/readyz while draining: %d %s", status, body)
	}
	if status, body := a.probePath(t.Context(), "/livez"); status != 200 || body != `{"status":"alive"}` {
		t.Errorf("/livez while draining: %d %s", status, body)
	}
	if status, body := a.probePath(t.Context(), "/health"); status != 200 || !strings.Contains(body, `"status":"ok"`) {
		t.Errorf("/health while draining: %d %s", status, body)
	}
	for _, path := range []string{transcriptions, jobs, debugDecode} {
		got := a.postForm(t, path, withFile(goldenRecording(t, "g00.wav"))).wantStatus(t, 503)
		if got.failureDetail(t) == "" || got.Header.Get("Retry-After") == "" {
			t.Errorf("%s while draining: %v %s", path, got.Header, got)
		}
	}
	a.postForm(t, transcriptions, withKey("")).wantStatus(t, 401)
	e, whole := <-last
	if !whole || e.Type != "transcript.text.done" || strings.Count(e.Text, "توصيل") < 300/17-2 {
		t.Errorf("what ran ended as %+v", e)
	}
	if code := a.awaitExit(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if status, _ := a.probePath(t.Context(), "/livez"); status != 0 {
		t.Errorf("answers after its end: %d", status)
	}
}

// TestSecondSIGTERM checks that a second signal ends the process at once.
func TestSecondSIGTERM(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	last := a.beginStream(t, 900)
	a.sendSignal(t, syscall.SIGTERM)
	if _, err := a.log.awaitPattern(regexp.MustCompile("msg=stopping"), a.processExited()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond) // an earlier one would count as a repetition of the first
	a.sendSignal(t, syscall.SIGTERM)
	a.awaitExit(t)
	a.pardoned = true // the test cut it off
	for e := range last {
		if e.Type == "transcript.text.done" {
			t.Error("the stream was whole: nothing ran when the second signal came")
		}
	}
	b := startInstance(t, instanceSettings{data: a.Data, noKey: true}) // the data is intact
	b.postForm(t, transcriptions, withFile(goldenRecording(t, "g00.wav"))).wantStatus(t, 200)
}

// TestSIGTERMWhileLoading checks that a signal during loading ends the process in order, also if it comes twice at
// once, as timeout(1) sends it.
func TestSIGTERMWhileLoading(t *testing.T) {
	t.Parallel()
	for _, repeated := range []bool{false, true} {
		a, err := launchProcess(builtBinary(t), instanceSettings{data: t.TempDir()})
		mustSucceed(t, err)
		if repeated {
			a.sendSignal(t, syscall.SIGTERM)
		}
		a.stopGracefully(t)
		mustSucceed(t, a.endInstance())
	}
}

// TestSIGINT checks the signal of Ctrl-C.
func TestSIGINT(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	a.sendSignal(t, syscall.SIGINT)
	if code := a.awaitExit(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
