// Package delivery holds the webhook outbox: what is owed to an organization's receiver, the tries that were made,
// and the setting that says where it goes.
//
// It is a leaf of pure rules: it knows no database, sends nothing and reads no clock. A delivery moves along one table:
//
//	pending ─try, answered 2xx→ delivered
//	        ─try, failed→       pending    (again [Pause] later, [MaxTries] tries in all)
//	        ─last try failed→   failed
//	delivered, failed ─redeliver→ pending  (a person asks; the tries count anew, the old ones stay listed)
package delivery

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// The seed's rules of delivery.
const (
	MaxTries = 3
	Pause    = 2 * time.Second  // between the end of one try and the next
	Timeout  = 10 * time.Second // of one try
)

// The bounds of what is remembered.
const (
	MaxKept   = 16 << 10 // bytes of a body
	MaxListed = 24       // tries of a delivery, the newest; more come only of redelivering
)

// Prefix is what every delivery's id begins with; a UUID follows.
const Prefix = "dlv_"

// NewID makes a delivery's id.
func NewID() string { return Prefix + uuid.NewString() }

// ValidID says whether id has the form of a delivery's id.
func ValidID(id string) bool {
	rest, found := strings.CutPrefix(id, Prefix)
	return found && len(rest) == 36 && uuid.Validate(rest) == nil
}

// DeliveryState is where a delivery stands.
type DeliveryState string

// The states; a call without a delivery is in [None].
const (
	None      DeliveryState = "none"
	Pending   DeliveryState = "pending"
	Delivered DeliveryState = "delivered"
	Failed    DeliveryState = "failed"
)

// DeliveryKind is what is told.
type DeliveryKind string

// The kinds.
const (
	CallEnded DeliveryKind = "call"
	Test      DeliveryKind = "test" // the synthetic complete payload
)

// Delivery is one row of the outbox: a notification owed. Its body is made from the call for the first try of a round
// and kept for the others, so that all tries send the same bytes.
type Delivery struct {
	ID        string        `json:"id"` // see [NewID]
	OrgID     string        `json:"org_id"`
	Kind      DeliveryKind  `json:"kind"`
	CallID    string        `json:"call_id"` // of a test: an id of no call
	State     DeliveryState `json:"state"`
	CreatedAt time.Time     `json:"created_at"`
	NextAt    time.Time     `json:"next_at"` // of the next try, while pending; zero after that
	Round     int           `json:"round"`   // tries of this round, 0..MaxTries
	Tries     []DeliveryTry `json:"tries,omitempty"`
	Body      []byte        `json:"body,omitempty"` // what the tries of this round send; empty before the first and after the last
}

// DeliveryTry is one POST and its answer, as the console shows it. Bodies are cut by [TruncateBody].
type DeliveryTry struct {
	At         time.Time     `json:"at"` // its beginning
	URL        string        `json:"url"`
	StatusCode int           `json:"status_code"`     // 0 without an answer
	Error      string        `json:"error,omitempty"` // for people; empty after a 2xx, and after nothing else
	Duration   time.Duration `json:"duration"`
	Request    string        `json:"request,omitempty"`
	Response   string        `json:"response,omitempty"`
	Sent       []byte        `json:"-"` // the whole body, which the delivery keeps while another try is to follow
}

// NewDelivery is a notification that is owed from now on.
func NewDelivery(orgID string, kind DeliveryKind, callID string, now time.Time) Delivery {
	return Delivery{
		ID: NewID(), OrgID: orgID, Kind: kind, CallID: callID, State: Pending, CreatedAt: now, NextAt: now,
	}
}

// RecordTry is a pending delivery after a try that ended at now. One that is not pending comes back as it was.
func (d Delivery) RecordTry(t DeliveryTry, now time.Time) Delivery {
	if d.State != Pending {
		return d
	}
	body := t.Sent
	t.Sent = nil
	d.Tries = append(d.Tries[:len(d.Tries):len(d.Tries)], t)
	d.Tries = d.Tries[max(0, len(d.Tries)-MaxListed):]
	d.Round++
	switch {
	case t.Error == "":
		d.State, d.NextAt, d.Body = Delivered, time.Time{}, nil
	case d.Round >= MaxTries:
		d.State, d.NextAt, d.Body = Failed, time.Time{}, nil
	default:
		d.NextAt, d.Body = now.Add(Pause), body
	}
	return d
}

// IsRedelivered says whether a person asked for the round that is on: the tries of earlier rounds are listed.
func (d Delivery) IsRedelivered() bool { return len(d.Tries) > d.Round }

// BodySize is how many bytes of bodies are remembered of all tries.
func (d Delivery) BodySize() int {
	sum := 0
	for _, t := range d.Tries {
		sum += len(t.Request) + len(t.Response)
	}
	return sum
}

// BeginAgain begins a new round of an ended delivery; false for one that is still pending.
func (d Delivery) BeginAgain(now time.Time) (Delivery, bool) {
	if d.State != Delivered && d.State != Failed {
		return d, false
	}
	d.State, d.Round, d.NextAt = Pending, 0, now
	return d, true
}

// TruncateBody is what is remembered of a body: its beginning, [MaxKept] bytes at most, cut between characters; runs of bytes
// that are no UTF-8 become U+FFFD.
func TruncateBody(body []byte) string {
	kept := strings.ToValidUTF8(string(body[:min(len(body), MaxKept+utf8.UTFMax)]), "\uFFFD")
	for len(kept) > MaxKept {
		_, size := utf8.DecodeLastRuneInString(kept)
		kept = kept[:len(kept)-size]
	}
	return kept
}
