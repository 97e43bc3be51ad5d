package record

import (
	"munadi/store/delivery"
)

// Lanes (priority queues) of an organization's outbox, each ordered by due time. Tests and redeliveries have the lower
// priority: they only get the capacity that the deliveries of calls leave free, so ten thousand redeliveries delay no
// current notification.
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

// WithoutBodies returns the delivery without the bodies of its attempts.
func (r DeliveryRecord) WithoutBodies() DeliveryRecord {
	tries := r.Delivery.Tries
	r.Delivery.Tries, r.Delivery.Body = nil, nil
	for _, t := range tries {
		t.Request, t.Response = "", ""
		r.Delivery.Tries = append(r.Delivery.Tries, t)
	}
	return r
}
