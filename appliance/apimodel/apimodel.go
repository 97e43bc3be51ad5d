// Package apimodel defines the JSON of calls: the Call of the API, and the notifications of webhooks.
//
// It only maps records to bodies: it depends on the records and on links passed in, not on requests, the store or the
// sender. The API, the webhook sender and the console's preview share it, so that a call looks the same everywhere.
// Every field is always present; an unknown one is null.
//
// Choices that the contract leaves open:
//
//   - call_started of a notification is when the customer answered, as started_at; call_data.direction is "outbound".
//   - report of a notification is an object, empty when the scenario reports nothing; of a Call it is null then.
//   - A webhook attempt without a response has status_code null; a successful one has error null.
//   - The number of an erased person is the empty string.
package apimodel

import (
	"time"

	"munadi/store/jsontext"
)

// Timestamp is a time as every body writes it, see [jsontext.TimeForm].
type Timestamp time.Time

// MarshalJSON implements [json.Marshaler].
func (t Timestamp) MarshalJSON() ([]byte, error) {
	return []byte(`"` + t.String() + `"`), nil
}

// String returns the time without quotes.
func (t Timestamp) String() string { return jsontext.FormatTime(time.Time(t)) }

// timeOf returns the time that t points to; nil for none.
func timeOf(t *time.Time) *Timestamp {
	if t == nil || t.IsZero() {
		return nil
	}
	w := Timestamp(*t)
	return &w
}

// TimestampOrNull returns t for a body; nil, which becomes null, for the zero time.
func TimestampOrNull(t time.Time) *Timestamp { return timeOf(&t) }
