package whole_test

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPowerCuts is the short form of make soak: the process is killed several times under mixed load, and an
// independent record of all requests finds nothing lost, invented or duplicated.
func TestPowerCuts(t *testing.T) {
	t.Parallel()
	runSoak(t, "-cuts", "5", "-clips", "0")
}

// TestFaultsOfSeveral is the short form of make soak with two appliances on PostgreSQL and S3.
func TestFaultsOfSeveral(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("it waits for leases and timeouts; MUNADI_LONG=1 runs it")
	}
	runSoak(t, "-appliances", "2", "-stops", "2", "-cuts", "2", "-bucket-away", "15s")
}

// runSoak builds the soak test and runs it.
func runSoak(t *testing.T, args ...string) {
	t.Helper()
	soak := filepath.Join(t.TempDir(), "soak")
	for _, args := range [][]string{
		{"go", "build", "-o", soak, "./packaging/soak"},
		append([]string{soak, "-munadi", builtBinary(t), "-folder", t.TempDir()}, args...),
	} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = project
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		t.Logf("%s", out)
	}
}

// TestCallCutByACrash checks that a call that was in progress at a kill fails, that its retry is planned, and that its
// recording plays.
func TestCallCutByACrash(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t, nil)
	a := startInstance(t, instanceSettings{args: []string{"--time-scale", "3"}})
	a.setReceiver(t, hook)
	id := a.bookCall(t, simulatedNumber("05"), "restaurant_order", jsonObject{
		"retry": jsonObject{"max_attempts": 2, "delay_minutes": []int{30}},
	}).textAt("id")
	a.awaitCall(t, id, func(c jsonObject) bool { return c.textAt("status") == "in_progress" })
	time.Sleep(2 * time.Second)
	a.killProcess(t)
	b := startFastCalls(t, instanceSettings{data: a.Data, noKey: true})
	c := b.awaitEnded(t, id)
	if c.textAt("status") != "failed" || c.textAt("failure", "reason") != "interrupted" || c.textAt("next_call_id") == "" {
		t.Errorf("after the crash %v", c)
	}
	if next := b.fetchCall(t, c.textAt("next_call_id")); next.textAt("status") != "scheduled" {
		t.Errorf("its retry %v", next)
	}
	if told := hook.awaitNotification(t, id); told.textAt("payload", "type") != "failed" {
		t.Errorf("told %v", told)
	}
	checkPlayable(t, b, c)
}

// TestStopLetsCallsEnd checks that SIGTERM waits for a call in progress, and that the log names what it waits for.
func TestStopLetsCallsEnd(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--time-scale", "2"}})
	id := a.bookCall(t, simulatedNumber("06"), "appointment_confirmation", nil).textAt("id")
	a.awaitCall(t, id, func(c jsonObject) bool { return c.textAt("status") == "in_progress" })
	a.sendSignal(t, syscall.SIGTERM)
	if _, err := a.log.awaitPattern(regexp.MustCompile("msg=stopping"), a.processExited()); err != nil {
		t.Fatal(err)
	}
	if status, body := a.probePath(t.Context(), "/readyz"); status != 503 || body != `{"status":"draining"}` {
		t.Errorf("/readyz while a call runs: %d %s", status, body)
	}
	if c := a.fetchCall(t, id); c.textAt("status") != "in_progress" {
		t.Errorf("the call while it runs: %v", c)
	}
	a.requestAPI(t, "POST", "/calls", jsonObject{"phone_number": simulatedNumber("06"), "scenario_id": "appointment_confirmation"}).
		wantStatus(t, http.StatusServiceUnavailable)
	if code := a.awaitExit(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	b := startFastCalls(t, instanceSettings{data: a.Data, noKey: true})
	if c := b.fetchCall(t, id); c.textAt("status") != "completed" {
		t.Errorf("the call that was up: %v", c)
	}
}

// TestDamagedLog checks that a truncated end of the database is reported.
func TestDamagedLog(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", jsonObject{"scheduled_at": timeFromNow(time.Hour)})
	a.killProcess(t)
	logs, err := filepath.Glob(filepath.Join(a.Data, "db", "*.mem"))
	mustSucceed(t, err)
	if len(logs) != 1 {
		t.Fatalf("the database's logs are %v", logs)
	}
	log, err := os.ReadFile(logs[0])
	mustSucceed(t, err)
	log[len(bytes.TrimRight(log, "\x00"))-1] ^= 1
	mustSucceed(t, os.WriteFile(logs[0], log, 0o600))
	b := startInstance(t, instanceSettings{data: a.Data, noKey: true})
	b.tends = []string{"is damaged"}
	for _, path := range []string{"/health", v1 + "/health"} {
		if status, body := b.probePath(t.Context(), path); status != http.StatusOK || !strings.Contains(body, "lost its last") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if _, body := b.probePath(t.Context(), "/metrics"); !strings.Contains(body, "munadi_store_lost_transactions ") ||
		strings.Contains(body, "munadi_store_lost_transactions 0") {
		t.Error("the metrics do not count it")
	}
}
