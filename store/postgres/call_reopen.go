package postgres

import (
	"time"

	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/record"
)

// reopenInterrupted reopens a call that another appliance ended as interrupted while this one, its owner, had lost the
// database, so that its true outcome can be stored; false for any other call. The retry booked for it is cancelled
// unless it has started. A second webhook follows the first.
func reopenInterrupted(e *dbTx, r *record.CallRecord, o call.CallOutcome, now time.Time) (bool, error) {
	reopened, interrupted := r.Call.ReopenInterrupted(o, now)
	if !interrupted {
		return false, nil
	}
	r.Call = reopened
	addLine(e, r, call.TimelineEntry{At: now, Event: "reopened", Actor: record.ByDialler})
	return true, cancelNeedlessRetry(e, r, now)
}

// cancelNeedlessRetry cancels the attempt after a reopened call, unless it has started.
func cancelNeedlessRetry(e *dbTx, r *record.CallRecord, now time.Time) error {
	if r.Call.Attempt.NextID == nil {
		return nil
	}
	before, found, err := calls.lockReadable(e, r.Call.OrgID, *r.Call.Attempt.NextID)
	if err != nil || !found || before.Call.Status != call.Scheduled {
		return err
	}
	after := before
	if after.Call, err = before.Call.CancelAt(now); err != nil {
		return err
	}
	after.Superseded = true
	addLine(e, &after, call.TimelineEntry{
		At: now, Event: "cancelled", Actor: record.ByDialler, Note: "the attempt before it was not interrupted",
	})
	r.Call.Attempt.NextID, r.Call.Attempt.NextRetryAt = nil, nil
	return saveCall(e, before, after)
}

// supersedeLater updates the deciding call of a person after a reopened call has reached them: it is the last one that
// did.
func supersedeLater(e *dbTx, r *record.CallRecord) error {
	c := r.Call
	if c.CampaignID == "" || c.PhoneNumber == "" || !campaign.HasReached(c) {
		return nil
	}
	later, err := calls.list(e, "WHERE org = $1 AND campaign = $2 AND number = $3 AND made >= $4 AND id <> $5 "+
		"ORDER BY made FOR UPDATE", c.OrgID, c.CampaignID, c.PhoneNumber, unixNanos(c.CreatedAt), c.ID)
	for _, before := range later {
		r.Superseded = r.Superseded || campaign.HasReached(before.Call)
	}
	for _, before := range later {
		after := before
		if after.Superseded = true; err == nil && !r.Superseded {
			err = saveCall(e, before, after)
		}
	}
	return err
}
