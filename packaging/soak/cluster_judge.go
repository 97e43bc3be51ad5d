package main

import (
	"context"
	"math"
	"strings"
)

// judgeCluster waits until all work is complete, and compares the stored state with what was acknowledged.
func (s *clusterSoak) judgeCluster(ctx context.Context) error {
	printLine(s.out, "the last calls end")
	client := patientClient{s.applianceCluster}
	calls, err := awaitSettled(ctx, client)
	if err != nil {
		return err
	}
	s.w.judgeCalls(calls)
	s.report.Twice, s.report.Corrected = s.w.judgeSharedWebhooks(calls)
	for id, by := range s.w.dials {
		s.report.Dials += len(by)
		if calls[id] == nil {
			s.w.addFault("phantom", "%s was dialled by %v, and is no call", id, by)
		}
	}
	for _, judge := range []func() error{
		func() error { return s.w.judgeJobs(ctx, client) },
		func() error { return s.w.judgeSuppressions(ctx, client) },
		func() error { return s.w.judgeRecordings(ctx, client, calls) },
		func() error { return s.judgeTalks(ctx, client, calls) },
	} {
		if err := judge(); err != nil {
			return err
		}
	}
	s.report.Verdict = s.w.countFaults()
	return nil
}

// judgeSharedWebhooks compares the received webhooks with how calls ended. The same webhook may come twice, with
// its id; a second one, with another id, only replaces "failed" by the true outcome of an appliance that was cut off.
func (w *soakWitness) judgeSharedWebhooks(calls map[string]jsonObject) (twice, corrected int) {
	for id := range w.told {
		status := calls[id].textAt("status")
		if calls[id] == nil || status == "scheduled" || status == "cancelled" {
			w.addFault("phantom", "a webhook names %s, which is %q", id, status)
		}
		again, replaced := w.judgeCallWebhooks(id, status)
		twice, corrected = twice+again, corrected+replaced
	}
	w.judgeUndelivered(calls)
	return twice, corrected
}

// judgeCallWebhooks compares the received webhooks of one call with its status.
func (w *soakWitness) judgeCallWebhooks(id, status string) (twice, corrected int) {
	want := strings.Replace(status, "completed", "complete", 1)
	kinds, good := w.groupByDelivery(id)
	final := 0
	for delivery, kind := range kinds {
		twice += max(0, good[delivery]-1)
		switch {
		case kind == want && good[delivery] > 0:
			final++
		case kind != want && kind == "failed":
			corrected++
		case kind != want:
			w.addFault("wrong", "%s is %s and was told as %s", id, status, kind)
		}
	}
	if final > 1 {
		w.addFault("doubled", "%s was told as %s by %d notifications", id, status, final)
	}
	if final == 0 {
		w.addFault("lost", "%s is %s; it was told as %v", id, status, kinds)
	}
	return twice, corrected
}

// groupByDelivery returns what each delivery of a call said, and how often it was accepted; each must say the same.
func (w *soakWitness) groupByDelivery(id string) (kinds map[string]string, good map[string]int) {
	kinds, good = map[string]string{}, map[string]int{}
	for _, one := range w.told[id] {
		if before, known := kinds[one.delivery]; known && before != one.kind {
			w.addFault("wrong", "delivery %s of %s told %s, then %s", one.delivery, id, before, one.kind)
		}
		if kinds[one.delivery] = one.kind; one.ok {
			good[one.delivery]++
		}
	}
	return kinds, good
}

// judgeUndelivered looks for ended calls without a delivered webhook, and for calls that failed by an internal error.
func (w *soakWitness) judgeUndelivered(calls map[string]jsonObject) {
	for id, c := range calls {
		if c.textAt("failure", "reason") == "internal" {
			w.addFault("wrong", "%s failed by an error of the appliance", id)
		}
		ended := c.textAt("ended_at") != "" && c.textAt("status") != "cancelled"
		if state := c.textAt("webhook", "state"); ended && (state != "delivered" || len(w.told[id]) == 0) {
			w.addFault("lost", "%s ended as %s; its webhook is %s, heard %d times",
				id, c.textAt("status"), state, len(w.told[id]))
		}
	}
}

func rootMean(sum, n float64) float64 { return math.Sqrt(sum / max(1, n)) }
