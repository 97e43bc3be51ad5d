package alerting

import (
	"context"
	"math"
	"time"

	"munadi/store"
	"munadi/store/call"
)

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
