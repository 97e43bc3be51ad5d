package alerting

import (
	"context"
	"math"
	"strconv"
	"time"

	"munadi/store"
	"munadi/store/alert"
	"munadi/store/call"
	"munadi/store/record"
)

// A failure spike, the common rule of alerts and pages for "many calls fail": of an organization's last [fewAttempts]
// ended attempts or more, within [spikeWindow], at least half have failed (status failed, except those that a user
// ended), and at least twice the share of all attempts before. If fewer ended within that time see findFewFailed. It
// is cleared when the share has fallen to half of the share that raised it, or after [quietAfter] without a spike.
const (
	fewAttempts = 20
	spikeShare  = 0.5
	spikeGrowth = 2
	spikeWindow = time.Hour
	quietAfter  = 24 * time.Hour
	// sampleEvery is the interval of sampling the counters of calls.
	sampleEvery = 15 * time.Second
)

// attemptCount counts ended attempts and the failed ones of them.
type attemptCount struct{ ended, failed int }

// failedShare returns the share of failed attempts.
func (c attemptCount) failedShare() float64 { return float64(c.failed) / float64(max(c.ended, 1)) }

func (c attemptCount) subtractCount(o attemptCount) attemptCount {
	return attemptCount{c.ended - o.ended, c.failed - o.failed}
}

func (c attemptCount) addCount(o attemptCount) attemptCount {
	return attemptCount{c.ended + o.ended, c.failed + o.failed}
}

// failureSample is the counter of all time at a moment.
type failureSample struct {
	at    time.Time
	count attemptCount
}

// failureHistory holds one organization's samples of the last [spikeWindow], oldest first, and the state of its alert.
type failureHistory struct {
	samples []failureSample
	last    Condition
	looked  time.Time
	held    time.Time // end of the last spike; at first, the start of the history
}

// judgeFailures judges an organization's failure spike. The store's counters are those of all appliances.
func (m *AlertMonitor) judgeFailures(
	ctx context.Context, orgID string, board alert.AlertBoard, now time.Time,
) (Condition, error) {
	h := m.failures[orgID]
	if h == nil {
		h = &failureHistory{held: now}
		m.failures[orgID] = h
	}
	if now.Sub(h.looked) < sampleEvery && !h.looked.IsZero() {
		return h.last, nil
	}
	tallies, err := m.Store.TallyCalls(ctx, orgID, time.Time{}, time.Time{})
	if err != nil {
		return Condition{}, err
	}
	count := countAttempts(tallies)
	if len(h.samples) == 0 {
		if err := m.seedSamples(ctx, orgID, h, count, now); err != nil {
			return Condition{}, err
		}
	}
	h.looked = now
	h.addSample(failureSample{now, count})
	h.last, err = h.judgeFailures(board.FindOpen(alert.FailureSpike, "", ""), now, func(want int) (int, error) {
		return m.countRefused(ctx, orgID, now, want)
	})
	return h.last, err
}

// seedSamples starts a history with the counters of the quarters of the last hour, so that after a restart during a
// spike its first attempts do not count as the usual share. count is the counter of all time.
func (m *AlertMonitor) seedSamples(
	ctx context.Context, orgID string, h *failureHistory, count attemptCount, now time.Time,
) error {
	to := now.Truncate(call.TallyStep).Add(call.TallyStep)
	from := to.Add(-spikeWindow)
	quarters, err := m.Store.TallyCalls(ctx, orgID, from, to)
	if err != nil {
		return err
	}
	sum := count.subtractCount(countAttempts(quarters))
	h.addSample(failureSample{from, sum})
	for at := from; at.Before(to); at = at.Add(call.TallyStep) {
		for _, t := range quarters {
			if t.At.Equal(at) {
				sum = sum.addCount(countAttempts([]call.CallTally{t}))
			}
		}
		h.addSample(failureSample{record.EarliestTime(at.Add(call.TallyStep), now), sum})
	}
	return nil
}

// countAttempts adds up the ended attempts of counters.
func countAttempts(tallies []call.CallTally) (sum attemptCount) {
	for _, t := range tallies {
		for status, n := range t.Counts {
			if status.IsFinal() && status != call.Cancelled {
				sum.ended += n
			}
		}
		sum.failed += t.Counts[call.Failed] - t.ByOperator[call.Failed]
	}
	return sum
}

// addSample adds a sample, unless no attempt has ended since the last one.
func (h *failureHistory) addSample(s failureSample) {
	if n := len(h.samples); n > 0 && h.samples[n-1].count == s.count {
		return
	}
	h.samples = append(h.samples, s)
	for len(h.samples) > 2 && s.at.Sub(h.samples[1].at) > spikeWindow {
		h.samples = h.samples[1:]
	}
}

// attemptWindow is the latest attempts, beside all those before them.
type attemptWindow struct {
	recent attemptCount
	usual  float64 // share of failed ones before
}

// windowSince returns the attempts since a sample.
func (h *failureHistory) windowSince(s failureSample, open *alert.Alert) attemptWindow {
	w := attemptWindow{recent: h.samples[len(h.samples)-1].count.subtractCount(s.count)}
	if s.count.ended >= fewAttempts {
		w.usual = s.count.failedShare()
	}
	if open != nil { // the spike itself does not become the usual
		if percent, err := strconv.Atoi(open.Facts["before"]); err == nil {
			w.usual = float64(percent) / 100
		}
	}
	return w
}

// listWindows returns the windows of the last hour, the shortest first, up to the first of [fewAttempts]; none if no
// attempt has ended within an hour.
func (h *failureHistory) listWindows(open *alert.Alert, now time.Time) (all []attemptWindow) {
	// A sample is the counter until the next one, which counts the first attempts of the window that it begins.
	for i := len(h.samples) - 2; i >= 0 && now.Sub(h.samples[i+1].at) <= spikeWindow; i-- {
		w := h.windowSince(h.samples[i], open)
		if all = append(all, w); w.recent.ended >= fewAttempts {
			break
		}
	}
	return all
}

// judgeFailures compares the recent attempts with those before; open is the alert that is raised now, and refused
// counts the latest failed calls that the carrier refused.
func (h *failureHistory) judgeFailures(
	open *alert.Alert, now time.Time, refused func(want int) (int, error),
) (Condition, error) {
	c, windows := Condition{Kind: alert.FailureSpike}, h.listWindows(open, now)
	var longest attemptWindow
	if len(windows) > 0 {
		longest = windows[len(windows)-1]
	}
	spike, found := longest, longest.recent.failedShare() >= longest.spikeThreshold()
	if longest.recent.ended < fewAttempts {
		var err error
		if spike, found, err = findFewFailed(windows, refused); err != nil {
			return c, err
		}
	}
	switch {
	case found:
		h.held, c.State = now, Holds
		c.Facts = map[string]string{
			"failed": strconv.Itoa(spike.recent.failed), "of": strconv.Itoa(spike.recent.ended),
			"before": percentText(spike.usual),
		}
	case open == nil, now.Sub(h.held) > quietAfter, longest.isCalm():
		c.State = Over
	}
	return c, nil
}

// spikeThreshold returns the share of failed attempts from which many fail.
func (w attemptWindow) spikeThreshold() float64 { return max(spikeShare, spikeGrowth*w.usual) }

// isCalm reports whether enough attempts went well for a spike to be over.
func (w attemptWindow) isCalm() bool {
	return w.recent.ended >= leastAttempts && w.recent.failedShare() <= w.spikeThreshold()/2
}

// percentText returns a share as a whole number of percent.
func percentText(share float64) string { return strconv.Itoa(int(100*share + 0.5)) }

// Many calls fail though fewer than [fewAttempts] ended within [spikeWindow]: of the last [leastAttempts] or more, the
// carrier refused at least [refusedShare], and with the usual share of failures the probability of that many is less
// than 1 / [rareChance] (binomial test). Other failures, such as suppressed numbers, don't count: a few calls that one
// person booked wrongly are no outage.
const (
	leastAttempts = 5
	refusedShare  = 0.8
	rareChance    = 1e-4
	// leastUsual is the usual share that an organization without history is given.
	leastUsual = 0.05
)

// findFewFailed returns the shortest of some windows in which many attempts failed, the carrier's refusals alone.
func findFewFailed(windows []attemptWindow, refused func(want int) (int, error)) (attemptWindow, bool, error) {
	for _, w := range windows {
		if !w.isRareFailure() {
			continue
		}
		n, err := refused(w.recent.failed)
		if err != nil {
			return w, false, err
		}
		w.recent.failed = min(w.recent.failed, n)
		if w.isRareFailure() {
			return w, true, nil
		}
	}
	return attemptWindow{}, false, nil
}

// isRareFailure reports whether that many failures of a few attempts are too improbable to be chance.
func (w attemptWindow) isRareFailure() bool {
	n, k := w.recent.ended, w.recent.failed
	return n >= leastAttempts && n < fewAttempts && float64(k) >= refusedShare*float64(n) &&
		binomialTail(k, n, max(w.usual, leastUsual)) <= rareChance
}

// binomialTail returns the probability of k successes or more in n trials, each with probability p.
func binomialTail(k, n int, p float64) (sum float64) {
	ways := 1.0 // n over i
	for i := range n + 1 {
		if i >= k {
			sum += ways * math.Pow(p, float64(i)) * math.Pow(1-p, float64(n-i))
		}
		ways *= float64(n-i) / float64(i+1)
	}
	return sum
}

// countRefused returns how many of the last failed calls, at most want of those that ended within [spikeWindow], were
// refused by the carrier.
func (m *AlertMonitor) countRefused(ctx context.Context, orgID string, now time.Time, want int) (n int, err error) {
	page, err := m.Store.CallsPage(ctx, orgID, store.CallFilter{
		Statuses: []call.CallStatus{call.Failed}, NotEndedBy: call.ByOperator, Sort: store.SortByDueTime, Limit: want,
	})
	for _, c := range page.Items {
		if c.EndedAt != nil && now.Sub(*c.EndedAt) <= spikeWindow+sampleEvery && call.ReasonOf(c.Failure).IsCarrierRefusal() {
			n++
		}
	}
	return n, err
}
