package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
)

// AmendCall implements [store.CallStore].
func (s *PostgresStore) AmendCall(
	ctx context.Context, orgID, id string, a call.Amendment, actor string, now time.Time,
) (call.Call, error) {
	return s.changeCall(ctx, orgID, id, func(e *dbTx, r *record.CallRecord) error {
		before := r.Call
		after, changed, err := before.Amend(a, actor, now)
		if err != nil || !changed {
			return err
		}
		r.Call = after
		addLine(e, r, call.TimelineEntry{At: now, Event: string(a.Kind), Actor: actor, Note: a.CorrectedSlots()})
		addAudit(e, orgID, store.AuditEntry{
			At: now, Actor: actor, Action: "call." + string(a.Kind), Subject: id, Note: a.CorrectedSlots(),
		})
		return recountAnswers(e, before, after)
	})
}
