package record

import (
	"time"

	"munadi/store"
	"munadi/store/delivery"
)

// EventRecord is the stored form of an event's delivery; its body has its own key, so that lists stay cheap.
type EventRecord struct {
	Delivery delivery.Delivery `json:"delivery"`
	Sent     bool              `json:"sent,omitempty"` // a body is stored
	// Erased says that the personal data of its subject was removed: no body is stored any more.
	Erased  bool       `json:"erased,omitempty"`
	EndedAt *time.Time `json:"ended_at,omitempty"` // nil while it is pending
}

// RecordTry adds an attempt to a pending delivery and returns the body to be stored; nil if none is. closed means that
// its destination gets nothing any more.
func (r *EventRecord) RecordTry(t delivery.DeliveryTry, closed bool, now time.Time) (body []byte, err error) {
	if r.Delivery.State != delivery.Pending {
		return nil, conflictOfTry(r.Delivery.State)
	}
	if !r.Sent && !r.Erased && t.Sent != nil {
		body, r.Sent, r.Delivery.Subject = t.Sent, true, nil
	}
	t.Request, t.Sent = "", nil
	if r.Erased {
		t.Response = ""
	}
	r.Delivery = r.Delivery.RecordTry(t, now)
	if closed && r.Delivery.State == delivery.Pending {
		r.Delivery = r.Delivery.Fail()
	}
	if r.Delivery.State != delivery.Pending {
		r.EndedAt = &now
	}
	return body, nil
}

// conflictOfTry is the refusal of an attempt of a delivery that is not pending.
func conflictOfTry(state delivery.DeliveryState) error {
	return store.Errorf(store.CodeConflict, "an attempt cannot be recorded for a delivery that is %s", state)
}

// BeginAgain makes an ended delivery pending again.
func (r *EventRecord) BeginAgain(now time.Time) error {
	again, ended := r.Delivery.BeginAgain(now)
	if !ended {
		return store.Errorf(store.CodeConflict, "the delivery is pending already")
	}
	r.Delivery, r.EndedAt = again, nil
	return nil
}

// ReplayAt makes the delivery due at now; false for one that is due already.
func (r *EventRecord) ReplayAt(now time.Time) bool {
	if r.Delivery.State != delivery.Pending {
		return r.BeginAgain(now) == nil
	}
	waits := r.Delivery.NextAt.After(now)
	if waits {
		r.Delivery.NextAt = now
	}
	return waits
}

// ErasePersonalData returns the delivery without what it says of its subject: the state, answers, and errors, since a
// server's redirect may hold a number. Its body is removed by the caller.
func (r EventRecord) ErasePersonalData() EventRecord {
	tries := r.Delivery.Tries
	r.Delivery.Tries, r.Delivery.Subject, r.Sent, r.Erased = nil, nil, false, true
	for _, t := range tries {
		t.Response = ""
		if t.Error != "" && t.StatusCode != 0 {
			t.Error = erasedText
		}
		r.Delivery.Tries = append(r.Delivery.Tries, t)
	}
	return r
}
