package whole_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Throttling imitates the CPU quota of a container: the appliance is stopped for a short time, again and again. About
// 2 % of its RTP packets, one every 20 ms, are sent more than 20 ms late, and none so late that it is dropped (60 ms).
const (
	throttleEvery = 700 * time.Millisecond
	throttledFor  = 38 * time.Millisecond
)

// throttleCPU takes processor time away from the appliance until stop is called.
func (a *testInstance) throttleCPU() (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			_ = a.process.SendSignal(syscall.SIGSTOP)
			time.Sleep(throttledFor)
			_ = a.process.SendSignal(syscall.SIGCONT)
			select {
			case <-end:
				return
			case <-time.After(throttleEvery):
			}
		}
	}()
	return func() { close(end); <-ended }
}

// callsThatAre returns up to 200 calls with some statuses.
func (a *testInstance) callsThatAre(t testing.TB, statuses string) []any {
	t.Helper()
	return jsonObject(a.requestAPI(t, http.MethodGet, "/calls?status="+statuses+"&limit=200", nil).wantStatus(t, 200).jsonBody(t)).listAt("data")
}

// runningCalls counts the calls in progress.
func (a *testInstance) runningCalls(t testing.TB) int {
	t.Helper()
	return len(a.callsThatAre(t, "in_progress,dialing"))
}

// awaitOverload waits for an effect of overload, which is measured in windows of ten seconds.
func awaitOverload(t testing.TB, what string, happened func() bool) {
	t.Helper()
	for began := time.Now(); !happened(); time.Sleep(time.Second) {
		if time.Since(began) > 5*time.Minute {
			t.Fatalf("never: %s", what)
		}
	}
}

// TestOverload checks, in real time, that an appliance with too little processor time runs fewer calls at once before
// callees can hear it: log, health and metrics report it, and almost no audio is dropped. With its processor time back,
// all lines are used again.
func TestOverload(t *testing.T) {
	if !runsLongForms() {
		t.Skip("takes minutes and a machine with nothing else to do: MUNADI_LONG=1 runs it")
	}
	const lines = 4
	a := startWithTrunk(t, startSIPpPeer(t).TrunkAddress(), "--lines", fmt.Sprint(lines))
	health := func() string { _, body := a.probePath(t.Context(), "/api/v1/health"); return body }
	logged := func(what string) func() bool { return func() bool { return strings.Contains(a.log.String(), what) } }
	for i := range 100 {
		a.bookCall(t, fmt.Sprintf("+9665000%03d01", i), "appointment_confirmation", nil)
	}
	awaitOverload(t, "all lines are in use", func() bool { return a.runningCalls(t) == lines })
	stop := a.throttleCPU()
	awaitOverload(t, "the log says that audio is sent late", logged("audio is sent late: fewer concurrent calls"))
	awaitOverload(t, "fewer calls are up", func() bool { return a.runningCalls(t) < lines-1 })
	if h := health(); !strings.Contains(h, "audio is sent late") {
		t.Errorf("health says %s", h)
	}
	_, metrics := a.probePath(t.Context(), "/metrics")
	if late := regexp.MustCompile(`munadi_sip_sound_late_ratio.* 0\.0[1-9]`).FindString(metrics); late == "" {
		t.Errorf("the metrics say %q", regexp.MustCompile(`munadi_sip_sound_late_ratio.*`).FindString(metrics))
	}
	stop()
	awaitOverload(t, "the log says that sound is in time", logged("audio is on time again"))
	awaitOverload(t, "all lines are in use again", func() bool { return a.runningCalls(t) == lines })
	awaitOverload(t, "health is as before", func() bool { return !strings.Contains(health(), "audio is sent late") })
	checkHeard(t, a)
	for line := range strings.Lines(a.log.String()) {
		if strings.Contains(line, "audio is ") {
			t.Log(line)
		}
	}
}

// checkHeard expects the ended calls to have sent at least 98 % of their RTP packets, one every 20 ms.
func checkHeard(t testing.TB, a *testInstance) {
	t.Helper()
	list := a.callsThatAre(t, "completed")
	for _, c := range list {
		c := jsonObject(c.(map[string]any))
		sent, _ := c.valueAt("line", "packets_sent").(float64)
		seconds, _ := c.valueAt("total_duration").(float64)
		if sent < 0.98*50*(seconds-1) {
			t.Errorf("in %v s %v packets were sent", seconds, sent)
		}
	}
	if len(list) == 0 {
		t.Error("no call has ended")
	}
}
