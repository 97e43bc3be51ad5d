package delivery

import (
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// EventType is the type of an event that destinations receive.
type EventType string

// The event types of the public contract.
const (
	CallBooked       EventType = "call.booked"
	CallDialing      EventType = "call.dialing"
	CallAnswered     EventType = "call.answered"
	CallCompleted    EventType = "call.completed"
	CallFailed       EventType = "call.failed" // every end other than completed, and cancelled
	CallCancelled    EventType = "call.cancelled"
	CampaignFinished EventType = "campaign.finished"
	JobFinished      EventType = "job.finished"
	NeedsStaff       EventType = "person.needs_staff" // a call was marked: a person must follow it up
)

// AllEventTypes returns the event types in the order of their lists.
func AllEventTypes() []EventType {
	return []EventType{
		CallBooked, CallDialing, CallAnswered, CallCompleted, CallFailed, CallCancelled, CampaignFinished, JobFinished,
		NeedsStaff,
	}
}

// EventRaised is the kind of deliveries to destinations.
const EventRaised DeliveryKind = "event"

// EventPrefix is the prefix of every event id; a UUID of version 7 follows, which begins with the time.
const EventPrefix = "evt_"

// KeepEvents is how long ended deliveries to destinations are kept.
const KeepEvents = 30 * 24 * time.Hour

// MaxReplay is the number of deliveries that one replay queues.
const MaxReplay = 10_000

// EventReplay selects the deliveries to a destination that are sent again.
type EventReplay struct {
	From   time.Time   // events from this time on
	To     time.Time   // up to this time; zero: all later ones
	Events []EventType // of these types; empty: of all
	Failed bool        // without those that were delivered
}

// Selects reports whether a delivery of the replay's time is sent again.
func (r EventReplay) Selects(d Delivery) bool {
	return (len(r.Events) == 0 || slices.Contains(r.Events, d.Event)) && (!r.Failed || d.State != Delivered)
}

// eventPauses are the pauses before the second and further attempts of an event, fixed by the public contract.
var eventPauses = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
}

// MaxEventTries is the number of attempts of an event in a round.
var MaxEventTries = len(eventPauses) + 1

// Event is what happened, and to what.
type Event struct {
	Type    EventType
	OrgID   string
	Subject string          // id of the call, campaign or job
	State   json.RawMessage // of the subject after the event; empty: it is read when the event is sent
	At      time.Time
}

// NewEventID generates an event id.
func NewEventID() string {
	id, err := uuid.NewV7()
	if err != nil { // never: crypto/rand crashes the process instead
		id = uuid.New()
	}
	return EventPrefix + id.String()
}

// DeliverTo returns the delivery of an event to a destination, due immediately. Its id, the event's, is the same at all
// destinations.
func (e Event) DeliverTo(destination, id string) Delivery {
	return Delivery{
		ID: id, OrgID: e.OrgID, Kind: EventRaised, CallID: e.Subject, State: Pending, CreatedAt: e.At, NextAt: e.At,
		Destination: destination, Event: e.Type, Subject: e.State,
	}
}

// Receiver identifies what receives a delivery: a destination, or the webhook of an organization.
func (d Delivery) Receiver() string {
	if d.Destination != "" {
		return d.Destination
	}
	return d.OrgID
}

// Key identifies a delivery among all of an organization: an event has one for each destination.
func (d Delivery) Key() string {
	if d.Destination != "" {
		return EventKey(d.Destination, d.ID)
	}
	return d.ID
}

// EventKey is [Delivery.Key] of an event's delivery.
func EventKey(destination, id string) string { return destination + "/" + id }

// pauseAfter returns the pause after a failed attempt, the number of attempts of this round counted; false when it was
// the last one.
func (d Delivery) pauseAfter() (time.Duration, bool) {
	if d.Destination == "" {
		return Pause, d.Round < MaxTries
	}
	if d.Round > len(eventPauses) {
		return 0, false
	}
	return d.jitter(eventPauses[d.Round-1]), true
}

// jitter spreads a pause over ± 20 %, so that what failed at once is not tried again at once. It is a function of the
// delivery and the attempt.
func (d Delivery) jitter(pause time.Duration) time.Duration {
	const steps = 4001 // 80.00 % to 120.00 %
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(d.Key() + "/" + strconv.Itoa(len(d.Tries)) + "/" + strconv.Itoa(d.Round)))
	return pause / 10_000 * time.Duration(8000+sum.Sum64()%steps)
}
