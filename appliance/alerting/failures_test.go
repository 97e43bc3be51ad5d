package alerting_test

import (
	"testing"
	"time"

	"munadi/appliance/alerting"
	"munadi/store/alert"
	"munadi/store/call"
)

// addEndedAttempts adds ended attempts to an organization's counters.
func (w *alertingFixture) addEndedAttempts(orgID string, good, failed int) {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	before := w.store.tallies[orgID].Counts
	w.store.tallies[orgID] = call.CallTally{Counts: map[call.CallStatus]int{
		call.Completed: before[call.Completed] + good, call.Failed: before[call.Failed] + failed, call.Scheduled: 500,
	}}
}

// spikeStep is a number of attempts that end, and the alerts expected after them.
type spikeStep struct {
	what         string
	good, failed int
	open, past   int
}

// wantSpikes adds the attempts of each step and checks the alerts for a minute.
func (w *alertingFixture) wantSpikes(m *alerting.AlertMonitor, steps ...spikeStep) (b alert.AlertBoard) {
	w.t.Helper()
	for _, s := range steps {
		w.addEndedAttempts("clinic", s.good, s.failed)
		w.advanceTime(m, time.Minute)
		b = w.wantAlerts(s.what, "clinic", s.open, s.past)
	}
	return b
}

// wantFacts fails unless the open alert has these facts.
func wantFacts(t *testing.T, b alert.AlertBoard, failed, of, before string) {
	t.Helper()
	if f := b.Open[0].Facts; f["failed"] != failed || f["of"] != of || f["before"] != before {
		t.Errorf("facts %v, want %s of %s, before %s %%", f, failed, of, before)
	}
}

func TestFailureSpike(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.startMonitor("")
	b := w.wantSpikes(m, spikeStep{"usual", 900, 100, 0, 0}, spikeStep{"too few", 2, 15, 0, 0}, spikeStep{"18 of 23", 3, 3, 1, 0})
	wantFacts(t, b, "18", "23", "10")
	w.wantSpikes(m, spikeStep{"still many", 14, 6, 1, 0}, spikeStep{"as before", 19, 1, 0, 1})
	w.advanceTime(m, 2*time.Hour)
	w.wantAlerts("quiet", "clinic", 0, 1)
}

// TestFailureSpikeOverARestart checks that attempts before a restart count, whether it occurs before or after the
// alert; alert and all-clear are each sent once.
func TestFailureSpikeOverARestart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.addEndedAttempts("clinic", 900, 100)
	w.advanceTime(w.startMonitor(""), time.Minute)
	failed := call.CallTally{
		At: w.now.Truncate(call.TallyStep), Counts: map[call.CallStatus]int{call.Completed: 1, call.Failed: 12},
	}
	w.store.lately = map[string][]call.CallTally{"clinic": {failed}}
	m := w.startMonitor("")
	b := w.wantSpikes(m, spikeStep{"too few", 1, 12, 0, 0}, spikeStep{"20 of 21", 0, 8, 1, 0})
	wantFacts(t, b, "20", "21", "10")
	failed.Counts = map[call.CallStatus]int{call.Completed: 1, call.Failed: 20}
	w.store.lately["clinic"] = []call.CallTally{failed}
	w.wantSpikes(w.startMonitor(""), spikeStep{"after a further restart", 0, 0, 1, 0}, spikeStep{"as before", 30, 0, 0, 1})
}

// TestUsualFailuresRaiseNoAlert checks that an organization whose calls have always failed at that rate gets no alert.
func TestUsualFailuresRaiseNoAlert(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.startMonitor("")
	w.wantSpikes(m, spikeStep{"usual", 600, 400, 0, 0}, spikeStep{"60 % after 40 %", 40, 60, 0, 0}, spikeStep{"97 %", 1, 30, 1, 0})
	w.advanceTime(m, 25*time.Hour)
	w.wantAlerts("no call for a day", "clinic", 0, 1)
}

// setFailed sets the last failed calls: n that ended now, with a reason.
func (w *alertingFixture) setFailed(n int, why call.FailureReason) {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	at := w.now
	w.store.failed = nil
	for range n {
		w.store.failed = append(w.store.failed, call.Call{EndedAt: &at, Failure: &call.CallFailure{Reason: why}})
	}
}

// TestAlertOfFewRefusedCalls checks that an organization with few calls gets an alert when the carrier refuses nearly
// all of them, and none for failures by chance or with other reasons.
func TestAlertOfFewRefusedCalls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		usualGood, usualFailed int
		good, failed           int
		why                    call.FailureReason
		open                   int
	}{
		"4 of 4":                       {900, 100, 0, 4, call.NoCarrier, 0},
		"5 of 5":                       {900, 100, 0, 5, call.NoCarrier, 1},
		"5 of 5 without audio":         {900, 100, 0, 5, call.NoAudio, 1},
		"5 of 5, a new organization":   {0, 0, 0, 5, call.CarrierFailure, 1},
		"4 of 5, a new organization":   {0, 0, 1, 4, call.CarrierFailure, 1},
		"3 of 5":                       {0, 0, 2, 3, call.CarrierFailure, 0},
		"4 of 5, usually 10 %":         {900, 100, 1, 4, call.NoCarrier, 0},
		"19 of 19":                     {900, 100, 0, 19, call.NoCarrier, 1},
		"5 of 5, usually 20 %":         {800, 200, 0, 5, call.NoCarrier, 0},
		"6 of 6, usually 20 %":         {800, 200, 0, 6, call.NoCarrier, 1},
		"10 of 10, usually 40 %":       {600, 400, 0, 10, call.NoCarrier, 0},
		"11 of 11, usually 40 %":       {600, 400, 0, 11, call.NoCarrier, 1},
		"all numbers are suppressed":   {900, 100, 0, 10, call.Suppressed, 0},
		"the appliance was restarted":  {900, 100, 0, 10, call.Interrupted, 0},
		"most went through":            {900, 100, 12, 5, call.NoCarrier, 0},
		"20 suppressed, as many calls": {900, 100, 0, 20, call.Suppressed, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			m := w.startMonitor("")
			w.wantSpikes(m, spikeStep{"usual", c.usualGood, c.usualFailed, 0, 0})
			w.now = w.now.Add(2 * time.Hour)
			w.setFailed(c.failed, c.why)
			w.wantSpikes(m, spikeStep{name, c.good, c.failed, c.open, 0})
		})
	}
}

// TestAlertOfFewRefusedCallsIsCleared checks that the alert is cleared by successful calls, and by a day with too few
// calls.
func TestAlertOfFewRefusedCallsIsCleared(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.startMonitor("")
	w.wantSpikes(m, spikeStep{"none yet", 0, 0, 0, 0})
	w.setFailed(5, call.NoCarrier)
	b := w.wantSpikes(m, spikeStep{"5 of 5", 0, 5, 1, 0})
	wantFacts(t, b, "5", "5", "0")
	w.wantSpikes(m, spikeStep{"one gets through", 1, 0, 1, 0})
	w.advanceTime(m, 70*time.Minute)
	w.wantSpikes(m, spikeStep{"5 get through", 5, 0, 0, 1})
	w.advanceTime(m, 70*time.Minute)
	w.setFailed(6, call.NoCarrier)
	w.wantSpikes(m, spikeStep{"refused again", 0, 6, 1, 1})
	for range 24 { // hourly
		w.wantSpikes(m, spikeStep{"one call an hour", 1, 0, 1, 1})
		w.now = w.now.Add(59 * time.Minute)
	}
	w.now = w.now.Add(time.Hour)
	w.advanceTime(m, time.Minute)
	w.wantAlerts("after a day", "clinic", 0, 2)
}
