package record

import (
	"time"

	"munadi/store"
	"munadi/store/delivery"
)

// Lanes (priority queues) of an organization's outbox, each ordered by due time. Tests and redeliveries have the lower
// priority: they only get the capacity that the deliveries of calls leave free, so that even thousands of redeliveries
// delay no current notification.
const (
	LaneOfCalls   = "0"
	LaneOfPersons = "1"
)

// DeliveryRecord is the stored form of a delivery.
type DeliveryRecord struct {
	Delivery delivery.Delivery `json:"delivery"`
	Rank     uint64            `json:"rank"` // by creation, within the organization
	Lane     string            `json:"lane"`
	Place    uint64            `json:"place"` // tie-breaker: the rank, or a new number after a redelivery
}

// ErasePersonalData returns the delivery without the bodies of its attempts, and without errors that hold the number
// of the call's person: a server's redirect may.
func (r DeliveryRecord) ErasePersonalData(number string) DeliveryRecord {
	tries := r.Delivery.Tries
	r.Delivery.Tries, r.Delivery.Body = nil, nil
	for _, t := range tries {
		t.Request, t.Response = "", ""
		if holdsNumber(t.Error, number) {
			t.Error = erasedText
		}
		r.Delivery.Tries = append(r.Delivery.Tries, t)
	}
	return r
}

// RecordTry adds an attempt to a pending delivery. For a call whose person was erased its bodies are left out.
func (r *DeliveryRecord) RecordTry(t delivery.DeliveryTry, erased bool, now time.Time) error {
	if r.Delivery.State != delivery.Pending {
		return conflictOfTry(r.Delivery.State)
	}
	if erased {
		t.Request, t.Response, t.Sent = "", "", nil
	}
	r.Delivery = r.Delivery.RecordTry(t, now)
	return nil
}

// BeginAgain makes an ended delivery pending again, with the priority of redeliveries.
func (r *DeliveryRecord) BeginAgain(now time.Time) error {
	again, ended := r.Delivery.BeginAgain(now)
	if !ended {
		return store.Errorf(store.CodeConflict, "the delivery is pending already")
	}
	r.Delivery, r.Lane = again, LaneOfPersons
	return nil
}
