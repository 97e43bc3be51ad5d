package whole_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// rounds is how often the crash test kills the appliance: MUNADI_SOAK's number, 5 otherwise.
func rounds(t testing.TB) int {
	t.Helper()
	text := os.Getenv("MUNADI_SOAK")
	if text == "" {
		return 5
	}
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

// TestPowerCuts books calls and cuts the power in the middle, again and again: what was acknowledged ends exactly
// once, and each end is told of.
func TestPowerCuts(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t, nil)
	var (
		a     = caller(t, settings{args: []string{"--lines", "8"}})
		acked []string
	)
	a.listen(t, hook)
	endings := []string{"90", "91", "92", "94", "96", "97", "00", "95"}
	for round := range rounds(t) {
		if round > 0 {
			a = caller(t, settings{data: a.Data, noKey: true, args: []string{"--lines", "8"}})
		}
		stop := make(chan struct{})
		var booking sync.WaitGroup
		var mu sync.Mutex
		for worker := range 4 {
			booking.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
					}
					id, ok := a.tryBook(t, simulated(endings[(worker+4*i)%len(endings)]), fmt.Sprintf("r%d-%d-%d", round, worker, i))
					if !ok {
						return // the power is gone
					}
					mu.Lock()
					acked = append(acked, id)
					mu.Unlock()
					time.Sleep(60 * time.Millisecond)
				}
			})
		}
		time.Sleep(time.Duration(300+170*(round%5)) * time.Millisecond)
		a.kill(t)
		close(stop)
		booking.Wait()
	}
	a = caller(t, settings{data: a.Data, noKey: true})
	t.Logf("%d bookings acknowledged in %d rounds", len(acked), rounds(t))
	if len(acked) < rounds(t) {
		t.Fatal("hardly anything was booked")
	}
	for _, id := range acked {
		c := a.ended(t, id)
		told := hook.await(t, id)
		a.until(t, id, func(c object) bool { return c.text("webhook", "state") == "delivered" })
		kind, status := told.text("payload", "type"), c.text("status")
		if kind != status && (kind != "complete" || status != "completed") {
			t.Errorf("%s is %s and was told as %s", id, status, kind)
		}
		for _, again := range hook.of(id)[1:] {
			if again.text("payload", "type") != kind {
				t.Errorf("%s was told as %s and as %s", id, kind, again.text("payload", "type"))
			}
		}
	}
	if all := a.count(t); all != len(acked) {
		// A booking may be on disk whose answer the power cut took.
		if lost := all - len(acked); lost < 0 || lost > 4*rounds(t) {
			t.Errorf("%d calls of %d acknowledged bookings", all, len(acked))
		}
	}
}

// tryBook books a call; false when nobody answers.
func (a *instance) tryBook(t testing.TB, number, once string) (id string, ok bool) {
	r := newRequest([]part{header("Idempotency-Key", once), header("Content-Type", "application/json")})
	body := fmt.Sprintf(`{"phone_number":%q,"scenario_id":"appointment_confirmation"}`, number)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL+v1+"/calls", strings.NewReader(body))
	if err != nil {
		return "", false
	}
	req.Header = r.header
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", false
	}
	defer res.Body.Close()
	var made object
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil || res.StatusCode != http.StatusCreated {
		return "", false
	}
	return made.text("data", "id"), true
}

// count walks all pages of calls and counts them; no call may come twice.
func (a *instance) count(t testing.TB) int {
	t.Helper()
	seen, cursor := map[string]bool{}, ""
	for {
		path := "/calls?limit=200"
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		got := object(a.ask(t, http.MethodGet, path, nil).want(t, 200).object(t))
		for _, item := range got.list("data") {
			id := object(item.(map[string]any)).text("id")
			if seen[id] {
				t.Errorf("%s is listed twice", id)
			}
			seen[id] = true
		}
		if cursor = got.text("meta", "next_cursor"); cursor == "" {
			return len(seen)
		}
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

// TestStopLetsCallsEnd: SIGTERM waits for a call that is up.
func TestStopLetsCallsEnd(t *testing.T) {
	t.Parallel()
	a := caller(t, settings{})
	id := a.book(t, simulated("06"), "appointment_confirmation", nil).text("id")
	a.until(t, id, func(c object) bool { return c.text("status") == "in_progress" })
	a.stop(t)
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
