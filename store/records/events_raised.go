package records

import (
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/driver"
	"munadi/store/job"
	"munadi/store/record"
)

// raiseCallEvents raises the events of a call's change: of its status, and of its mark for staff. before is nil for a
// new call; after has its messages if the change set them.
func raiseCallEvents(tx driver.Tx, before *record.CallRecord, after record.CallRecord) error {
	c := after.Call
	e := delivery.Event{OrgID: c.OrgID, Subject: c.ID}
	state := func() (_ any, err error) {
		if len(c.Messages) == 0 && after.Words {
			c.Messages, _, err = callWords.find(tx, c.OrgID, c.ID)
		}
		return c, err
	}
	if e.Type, e.At = statusEvent(before, c); e.Type != "" {
		if err := raiseEvent(tx, e, state); err != nil {
			return err
		}
	}
	if !c.Need.IsOpen() || before != nil && before.Call.Need.IsOpen() {
		return nil
	}
	e.Type, e.At = delivery.NeedsStaff, c.Need.At
	return raiseEvent(tx, e, state)
}

// statusEvent returns the event of a call's new status, and its time; none if the status did not change. A call that
// was reopened after an interruption has a second end; a call-back is being dialled once the person is called.
func statusEvent(before *record.CallRecord, c call.Call) (delivery.EventType, time.Time) {
	switch {
	case before == nil:
		return delivery.CallBooked, c.CreatedAt
	case c.EndedAt != nil && (before.Call.EndedAt == nil || !before.Call.EndedAt.Equal(*c.EndedAt)):
		return endEvent(c.Status), *c.EndedAt
	case c.Status == call.Dialing && c.ReleasedAt != nil &&
		(before.Call.Status != c.Status || before.Call.ReleasedAt == nil):
		return delivery.CallDialing, *c.ReleasedAt
	case before.Call.Status == c.Status:
	case c.Status == call.InProgress && c.StartedAt != nil:
		return delivery.CallAnswered, *c.StartedAt
	}
	return "", time.Time{}
}

// endEvent returns the event of a call's end.
func endEvent(status call.CallStatus) delivery.EventType {
	switch status {
	case call.Completed:
		return delivery.CallCompleted
	case call.Cancelled:
		return delivery.CallCancelled
	default:
		return delivery.CallFailed
	}
}

// raiseCampaignEvent raises the event of a campaign that finished at a time.
func raiseCampaignEvent(tx driver.Tx, c campaign.Campaign, at time.Time) error {
	e := delivery.Event{Type: delivery.CampaignFinished, OrgID: c.OrgID, Subject: c.ID, At: at}
	return raiseEvent(tx, e, func() (any, error) {
		skipped, _, err := campaignSkipped.find(tx, c.OrgID, c.ID)
		if c.Skipped = skipped; store.IsUnreadable(err) {
			c.SkippedLost, err = true, nil
		}
		return campaign.TakeSnapshot(c), err
	})
}

// raiseJobEvent raises the event of a job's end. Its result, which does not change any more, is not stored again: it is
// read when the event is sent.
func raiseJobEvent(tx driver.Tx, before, after job.Job) error {
	if before.FinishedAt != nil || after.FinishedAt == nil {
		return nil
	}
	e := delivery.Event{Type: delivery.JobFinished, OrgID: after.OrgID, Subject: after.ID, At: *after.FinishedAt}
	return raiseEvent(tx, e, nil)
}
