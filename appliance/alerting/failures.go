package alerting

import (
	"context"
	"strconv"
	"time"

	"munadi/store/alert"
	"munadi/store/call"
)

// A failure spike: of an organization's last [fewAttempts] ended attempts or more, within [spikeWindow], at least half
// have failed (status failed, without those that a user ended), and at least twice the share of all attempts before. It
// is over when the share has fallen to half of what raised it, or after [quietAfter] without any attempt.
const (
	fewAttempts = 20
	spikeShare  = 0.5
	spikeGrowth = 2
	spikeWindow = time.Hour
	quietAfter  = 24 * time.Hour
	// sampleEvery is the interval between two looks at the counters of calls.
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

// failureHistory holds the samples of the last [spikeWindow] of one organization, oldest first, and what was judged.
type failureHistory struct {
	samples []failureSample
	last    Condition
	looked  time.Time
}

// judgeFailures judges an organization's failure spike. The store's counters are those of all appliances.
func (m *AlertMonitor) judgeFailures(
	ctx context.Context, orgID string, board alert.AlertBoard, now time.Time,
) (Condition, error) {
	h := m.failures[orgID]
	if h == nil {
		h = &failureHistory{}
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
	h.last = h.judgeFailures(board.FindOpen(alert.FailureSpike, "", ""), now)
	return h.last, nil
}

// seedSamples begins a history with the counters of the quarters of the last hour, so that a restart in the middle of a
// spike does not make its first attempts part of what is usual. count is the counter of all time.
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
		h.addSample(failureSample{minTime(at.Add(call.TallyStep), now), sum})
	}
	return nil
}

func minTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
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

// addSample adds a sample, unless nothing has ended since the last one.
func (h *failureHistory) addSample(s failureSample) {
	if n := len(h.samples); n > 0 && h.samples[n-1].count == s.count {
		return
	}
	h.samples = append(h.samples, s)
	for len(h.samples) > 2 && s.at.Sub(h.samples[1].at) > spikeWindow {
		h.samples = h.samples[1:]
	}
}

// compareWindows returns the attempts since the newest sample that leaves [fewAttempts], and those before it; false
// with fewer.
func (h *failureHistory) compareWindows() (recent, before attemptCount, enough bool) {
	newest := h.samples[len(h.samples)-1]
	for i := len(h.samples) - 2; i >= 0; i-- {
		if s := h.samples[i]; newest.count.ended-s.count.ended >= fewAttempts {
			return newest.count.subtractCount(s.count), s.count, newest.at.Sub(s.at) <= spikeWindow+sampleEvery
		}
	}
	return attemptCount{}, attemptCount{}, false
}

// judgeFailures compares the recent attempts with those before; open is the alert that stands.
func (h *failureHistory) judgeFailures(open *alert.Alert, now time.Time) Condition {
	c := Condition{Kind: alert.FailureSpike}
	recent, before, enough := h.compareWindows()
	usual := before.failedShare()
	if before.ended < fewAttempts {
		usual = 0
	}
	if open != nil { // the spike itself does not become the usual
		if percent, err := strconv.Atoi(open.Facts["before"]); err == nil {
			usual = float64(percent) / 100
		}
	}
	threshold := max(spikeShare, spikeGrowth*usual)
	quiet := now.Sub(h.samples[len(h.samples)-1].at)
	enough = enough && quiet <= spikeWindow
	switch {
	case open != nil && quiet > quietAfter, open == nil && !enough:
		c.State = Over
	case enough && recent.failedShare() >= threshold:
		c.State = Holds
		c.Facts = map[string]string{
			"failed": strconv.Itoa(recent.failed), "of": strconv.Itoa(recent.ended), "before": percentText(usual),
		}
	case enough && recent.failedShare() <= threshold/2:
		c.State = Over
	}
	return c
}

// percentText returns a share as a whole number of percent.
func percentText(share float64) string { return strconv.Itoa(int(100*share + 0.5)) }
