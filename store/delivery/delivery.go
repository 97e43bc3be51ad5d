// Package delivery defines the records of the outbox: pending and ended deliveries of webhooks and of events, their
// attempts, and their receivers with the signing secrets: an organization's webhook setting, and its destinations of
// events.
//
// It is a leaf package of pure rules without database, HTTP or clock. State machine of a delivery:
//
//	pending ─try, answered 2xx→ delivered
//	        ─try, failed→       pending    (retry after [Pause], [MaxTries] attempts in total)
//	        ─last try failed→   failed
//	delivered, failed ─redeliver→ pending  (by a user; attempts are counted from zero, the old ones stay listed)
package delivery

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Delivery rules, fixed by the public contract.
const (
	MaxTries = 3
	Pause    = 2 * time.Second  // between the end of one attempt and the next
	Timeout  = 10 * time.Second // of one attempt
)

// Limits of stored deliveries.
const (
	MaxKept   = 16 << 10 // bytes of a body
	MaxListed = 24       // attempts listed per delivery, the newest; only redeliveries reach it
)

// Prefix is the prefix of every delivery id; a UUID follows.
const Prefix = "dlv_"

// NewID generates a delivery id.
func NewID() string { return Prefix + uuid.NewString() }

// DeliveryState is the state of a delivery.
type DeliveryState string

// States; a call without a delivery is in [None].
const (
	None      DeliveryState = "none"
	Pending   DeliveryState = "pending"
	Delivered DeliveryState = "delivered"
	Failed    DeliveryState = "failed"
)

// AllStates lists the states of deliveries, in the order of their lifecycle.
func AllStates() []DeliveryState { return []DeliveryState{Pending, Delivered, Failed} }

// DeliveryKind is the kind of notification.
type DeliveryKind string

// Kinds.
const (
	CallEnded DeliveryKind = "call"
	Test      DeliveryKind = "test" // the synthetic complete payload
	// AlertRaised and AlertCleared are the two events of an alert, with the alert's id in place of the call's.
	AlertRaised  DeliveryKind = "alert_raised"
	AlertCleared DeliveryKind = "alert_cleared"
)

// Delivery is one row of the outbox: a pending or ended notification. Its body is rendered from the call for the first
// attempt of a round and kept for the others, so that all attempts send the same bytes.
type Delivery struct {
	ID        string        `json:"id"` // see [NewID]
	OrgID     string        `json:"org_id"`
	Kind      DeliveryKind  `json:"kind"`
	CallID    string        `json:"call_id"` // for a test: an id without a call; for an alert: the alert's id
	State     DeliveryState `json:"state"`
	CreatedAt time.Time     `json:"created_at"`
	NextAt    time.Time     `json:"next_at"` // time of the next attempt, while pending; else zero
	Round     int           `json:"round"`   // attempts of this round, 0..MaxTries
	Tries     []DeliveryTry `json:"tries,omitempty"`
	Body      []byte        `json:"body,omitempty"` // kept between the attempts of a round
	// Of an event: the destination that receives it, its type, and the state of its subject until the body is stored.
	// CallID is then the id of its subject: a call, a campaign or a job.
	Destination string          `json:"destination,omitempty"`
	Event       EventType       `json:"event,omitempty"`
	Subject     json.RawMessage `json:"subject,omitempty"`
}

// DeliveryTry is one delivery attempt (POST and answer), as the console shows it. Bodies are cut by [TruncateBody].
type DeliveryTry struct {
	At         time.Time     `json:"at"` // start time
	URL        string        `json:"url"`
	StatusCode int           `json:"status_code"`     // 0 without an answer
	Error      string        `json:"error,omitempty"` // for people; empty after a 2xx only
	Duration   time.Duration `json:"duration"`
	Request    string        `json:"request,omitempty"`
	Response   string        `json:"response,omitempty"`
	Sent       []byte        `json:"-"` // the whole body, kept while another attempt follows
}

// NewDelivery returns a notification that is due immediately.
func NewDelivery(orgID string, kind DeliveryKind, callID string, now time.Time) Delivery {
	return Delivery{
		ID: NewID(), OrgID: orgID, Kind: kind, CallID: callID, State: Pending, CreatedAt: now, NextAt: now,
	}
}

// RecordTry decides the retry: it returns a pending delivery after an attempt that ended at now, delivered, due again
// after [Pause], or failed after [MaxTries] attempts; an event has pauses of its own. One that is not pending is
// returned unchanged.
func (d Delivery) RecordTry(t DeliveryTry, now time.Time) Delivery {
	if d.State != Pending {
		return d
	}
	body := t.Sent
	t.Sent = nil
	d.Tries = append(d.Tries[:len(d.Tries):len(d.Tries)], t)
	d.Tries = d.Tries[max(0, len(d.Tries)-MaxListed):]
	d.Round++
	if t.Error == "" {
		d.State, d.NextAt, d.Body = Delivered, time.Time{}, nil
		return d
	}
	pause, more := d.pauseAfter()
	if !more {
		return d.Fail()
	}
	d.NextAt, d.Body = now.Add(pause), body
	return d
}

// Fail returns the delivery without further attempts.
func (d Delivery) Fail() Delivery {
	d.State, d.NextAt, d.Body = Failed, time.Time{}, nil
	return d
}

// IsRedelivered reports whether the current round is a manual redelivery: earlier attempts are listed.
func (d Delivery) IsRedelivered() bool { return len(d.Tries) > d.Round }

// BodySize returns the stored bytes of the bodies of all attempts.
func (d Delivery) BodySize() int {
	sum := 0
	for _, t := range d.Tries {
		sum += len(t.Request) + len(t.Response)
	}
	return sum
}

// BeginAgain starts a new round of an ended delivery; false for one that is still pending.
func (d Delivery) BeginAgain(now time.Time) (Delivery, bool) {
	if d.State != Delivered && d.State != Failed {
		return d, false
	}
	d.State, d.Round, d.NextAt = Pending, 0, now
	return d, true
}

// TruncateBody returns the stored part of a body: at most its first [MaxKept] bytes, cut between characters; invalid
// UTF-8 becomes U+FFFD.
func TruncateBody(body []byte) string {
	kept := strings.ToValidUTF8(string(body[:min(len(body), MaxKept+utf8.UTFMax)]), "\uFFFD")
	for len(kept) > MaxKept {
		_, size := utf8.DecodeLastRuneInString(kept)
		kept = kept[:len(kept)-size]
	}
	return kept
}
