package badger

import (
	"bytes"
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
)

// AmendCall implements [store.CallStore].
func (s *BadgerStore) AmendCall(
	ctx context.Context, orgID, id string, a call.Amendment, actor string, now time.Time,
) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e writeTx, r *callRecord) error {
		before := r.Call
		after, changed, err := before.Amend(a, actor, now)
		if err != nil || !changed {
			return err
		}
		r.Call = after
		e.addTimelineLine(r, call.TimelineEntry{At: now, Event: string(a.Kind), Actor: actor, Note: a.CorrectedSlots()})
		if err := e.recountAnswers(before, after); err != nil {
			return err
		}
		return e.addAudit(orgID, store.AuditEntry{
			At: now, Actor: actor, Action: "call." + string(a.Kind), Subject: id, Note: a.CorrectedSlots(),
		})
	})
}

// recountAnswers updates the counters of answers after a correction of a call's report.
func (e writeTx) recountAnswers(before, after call.Call) error {
	if bytes.Equal(before.CurrentReport(), after.CurrentReport()) {
		return nil
	}
	for _, place := range tallyPlaces(after) {
		err := e.changeTally(place, func(t *call.CallTally) {
			t.CountAnswers(before, -1)
			t.CountAnswers(after, 1)
		})
		if err != nil {
			return err
		}
	}
	if after.CampaignID == "" {
		return nil
	}
	tally, err := findTally(e, after.OrgID, after.CampaignID)
	if err != nil {
		return err
	}
	tally.ReplaceReport(before.CurrentReport(), after.CurrentReport())
	e.putRecord(joinKey(kindCampaignTally, after.OrgID, after.CampaignID), tally)
	return nil
}
