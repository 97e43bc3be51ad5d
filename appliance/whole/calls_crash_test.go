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

// TestPowerCuts is the short form of make soak: the power is cut some times under mixed load, and an outside witness
// finds nothing lost, phantom or doubled.
func TestPowerCuts(t *testing.T) {
	t.Parallel()
	runSoak(t, "-cuts", "5", "-clips", "0")
}

// TestFaultsOfSeveral is the short form of make soak with two appliances on PostgreSQL and S3.
func TestFaultsOfSeveral(t *testing.T) {
	t.Parallel()
	if !long() {
		t.Skip("it waits for leases and time-outs; MUNADI_LONG=1 runs it")
	}
	runSoak(t, "-appliances", "2", "-stops", "2", "-cuts", "2", "-bucket-away", "15s")
}

// runSoak builds the soak test and runs it.
func runSoak(t *testing.T, args ...string) {
	t.Helper()
	soak := filepath.Join(t.TempDir(), "soak")
	for _, args := range [][]string{
		{"go", "build", "-o", soak, "./packaging/soak"},
		append([]string{soak, "-munadi", binary(t), "-folder", t.TempDir()}, args...),
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

// TestCallCutByACrash: a call that was up when the power went fails, its retry is planned and its recording plays.
func TestCallCutByACrash(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t, nil)
	a := start(t, settings{args: []string{"--time-scale", "3"}})
	a.listen(t, hook)
	id := a.book(t, simulated("05"), "restaurant_order", object{
		"retry": object{"max_attempts": 2, "delay_minutes": []int{30}},
	}).text("id")
	a.until(t, id, func(c object) bool { return c.text("status") == "in_progress" })
	time.Sleep(2 * time.Second)
	a.kill(t)
	b := caller(t, settings{data: a.Data, noKey: true})
	c := b.ended(t, id)
	if c.text("status") != "failed" || c.text("failure", "reason") != "interrupted" || c.text("next_call_id") == "" {
		t.Errorf("after the crash %v", c)
	}
	if next := b.call(t, c.text("next_call_id")); next.text("status") != "scheduled" {
		t.Errorf("its retry %v", next)
	}
	if told := hook.await(t, id); told.text("payload", "type") != "failed" {
		t.Errorf("told %v", told)
	}
	checkPlayable(t, b, c)
}

// TestStopLetsCallsEnd: SIGTERM waits for a call that is up, and until it is over says what it waits for.
func TestStopLetsCallsEnd(t *testing.T) {
	t.Parallel()
	a := start(t, settings{args: []string{"--time-scale", "4"}})
	id := a.book(t, simulated("06"), "appointment_confirmation", nil).text("id")
	a.until(t, id, func(c object) bool { return c.text("status") == "in_progress" })
	a.signal(t, syscall.SIGTERM)
	if _, err := a.log.await(regexp.MustCompile("msg=stopping"), a.exited()); err != nil {
		t.Fatal(err)
	}
	if status, body := a.probe(t.Context(), "/readyz"); status != 503 || body != `{"status":"draining"}` {
		t.Errorf("/readyz while a call runs: %d %s", status, body)
	}
	if c := a.call(t, id); c.text("status") != "in_progress" {
		t.Errorf("the call while it runs: %v", c)
	}
	a.ask(t, "POST", "/calls", object{"phone_number": simulated("06"), "scenario_id": "appointment_confirmation"}).
		want(t, http.StatusServiceUnavailable)
	if code := a.wait(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	b := caller(t, settings{data: a.Data, noKey: true})
	if c := b.call(t, id); c.text("status") != "completed" {
		t.Errorf("the call that was up: %v", c)
	}
}

// TestDamagedLog: what the disk lost of the database's end is not passed over in silence.
func TestDamagedLog(t *testing.T) {
	t.Parallel()
	a := start(t, settings{})
	a.book(t, simulated("00"), "appointment_confirmation", object{"scheduled_at": soon(time.Hour)})
	a.kill(t)
	logs, err := filepath.Glob(filepath.Join(a.Data, "db", "*.mem"))
	must(t, err)
	if len(logs) != 1 {
		t.Fatalf("the database's logs are %v", logs)
	}
	log, err := os.ReadFile(logs[0])
	must(t, err)
	log[len(bytes.TrimRight(log, "\x00"))-1] ^= 1
	must(t, os.WriteFile(logs[0], log, 0o600))
	b := start(t, settings{data: a.Data, noKey: true})
	b.tends = []string{"was damaged"}
	for _, path := range []string{"/health", v1 + "/health"} {
		if status, body := b.probe(t.Context(), path); status != http.StatusOK || !strings.Contains(body, "lost its last") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if _, body := b.probe(t.Context(), "/metrics"); !strings.Contains(body, "munadi_store_lost_transactions ") ||
		strings.Contains(body, "munadi_store_lost_transactions 0") {
		t.Error("the metrics do not count it")
	}
}
