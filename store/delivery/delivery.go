// Package delivery holds the webhook outbox: what is owed to an organization's receiver, the tries that were made,
// and the setting that says where it goes.
//
// It is a leaf of pure rules. A delivery moves along one table:
//
//	pending ─try, answered 2xx→ delivered
//	        ─try, failed→       pending    (again [Pause] later, [MaxTries] tries in all)
//	        ─last try failed→   failed
//	delivered, failed ─redeliver→ pending  (a person asks; the tries count anew, the old ones stay listed)
package delivery

import "time"

// The seed's rules of delivery.
const (
	MaxTries = 3
	Pause    = 2 * time.Second  // between the end of one try and the next
	Timeout  = 10 * time.Second // of one try
)

// State is where a delivery stands.
type State string

// The states; a call without a delivery is in [None].
const (
	None      State = "none"
	Pending   State = "pending"
	Delivered State = "delivered"
	Failed    State = "failed"
)

// Kind is what is told.
type Kind string

// The kinds.
const (
	CallEnded Kind = "call"
	Test      Kind = "test" // the synthetic complete payload
)

// Delivery is one row of the outbox: a notification owed. Its body is made from the call when it is sent.
type Delivery struct {
	ID        string    `json:"id"` // "dlv_" and a UUID
	OrgID     string    `json:"org_id"`
	Kind      Kind      `json:"kind"`
	CallID    string    `json:"call_id"` // of a test: an id of no call
	State     State     `json:"state"`
	CreatedAt time.Time `json:"created_at"`
	NextAt    time.Time `json:"next_at"` // of the next try, while pending
	Round     int       `json:"round"`   // tries of this round, 0..MaxTries
	Tries     []Try     `json:"tries,omitempty"`
}

// Try is one POST and its answer, as the console shows it. Bodies are cut to [MaxKept] bytes.
type Try struct {
	At         time.Time     `json:"at"`
	URL        string        `json:"url"`
	StatusCode int           `json:"status_code"`
	Error      string        `json:"error,omitempty"` // empty after a 2xx
	Duration   time.Duration `json:"duration"`
	Request    string        `json:"request,omitempty"`
	Response   string        `json:"response,omitempty"`
}

// MaxKept bounds what is kept of a body, in bytes.
const MaxKept = 16 << 10

// Tried is the delivery after a try that ended at now.
func (d Delivery) Tried(t Try, now time.Time) Delivery {
	d.Tries = append(d.Tries[:len(d.Tries):len(d.Tries)], t)
	d.Round++
	switch {
	case t.Error == "":
		d.State = Delivered
	case d.Round >= MaxTries:
		d.State = Failed
	default:
		d.NextAt = now.Add(Pause)
	}
	return d
}

// Again begins a new round; false for one that is still pending.
func (d Delivery) Again(now time.Time) (Delivery, bool) {
	if d.State == Pending {
		return d, false
	}
	d.State, d.Round, d.NextAt = Pending, 0, now
	return d, true
}

// Webhook is an organization's setting.
type Webhook struct {
	URL     string `json:"url"`
	Enabled bool   `json:"enabled"`
	// Signing adds Standard Webhooks headers; the newest secret comes first, older ones sign too until they expire.
	Signing   bool      `json:"signing"`
	Secrets   []Secret  `json:"secrets,omitempty"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Secret is a signing secret, "whsec_…". It must be kept readable, since it signs.
type Secret struct {
	Value     string     `json:"value"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}
