package delivery

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"munadi/store/strictjson"
)

// MaxDestinations is the maximum number of an organization's destinations.
const MaxDestinations = 20

// DestinationPrefix is the prefix of every destination id; a UUID follows.
const DestinationPrefix = "dest_"

// SwitchOffAfter is how long every attempt of a destination must have failed before it is switched off by itself.
const SwitchOffAfter = 5 * 24 * time.Hour

// Destination is a receiver of events: its URL, the types of events that it gets, and the secret that signs them.
type Destination struct {
	ID        string          `json:"id"` // [DestinationPrefix] and a UUID
	URL       string          `json:"url"`
	Events    []EventType     `json:"events"` // in the order of [AllEventTypes]
	Enabled   bool            `json:"enabled"`
	Secrets   []SigningSecret `json:"secrets"`
	CreatedAt time.Time       `json:"created_at"`
	UpdatedAt time.Time       `json:"updated_at"`
	// FailingSince is when the first attempt failed after which none was delivered; nil while they are delivered.
	FailingSince *time.Time `json:"failing_since,omitempty"`
	// SwitchedOffAt is when it was switched off by itself; nil if it was not, or was changed by a person since.
	SwitchedOffAt *time.Time `json:"switched_off_at,omitempty"`
}

// NewDestination returns a destination with a new secret.
func NewDestination(address string, events []EventType, enabled bool, now time.Time) Destination {
	return Destination{
		ID: DestinationPrefix + uuid.NewString(), URL: address, Events: sortEvents(events), Enabled: enabled,
		Secrets: []SigningSecret{NewSecret(now)}, CreatedAt: now, UpdatedAt: now,
	}
}

// Setting returns the destination as the receiver of a signed POST.
func (d Destination) Setting() WebhookSetting {
	return WebhookSetting{URL: d.URL, Enabled: d.Enabled, Signing: true, Secrets: d.Secrets}
}

// Wants reports whether the destination gets an event.
func (d Destination) Wants(event EventType) bool {
	return d.Enabled && slices.Contains(d.Events, event)
}

// Host returns the host of the URL, whose path may hold a secret.
func (d Destination) Host() string {
	u, err := url.Parse(d.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// Edit returns the destination with other settings. A receiver that was moved or switched on again begins without its
// earlier failures.
func (d Destination) Edit(address string, events []EventType, enabled bool, now time.Time) Destination {
	if address != d.URL || enabled && !d.Enabled {
		d.FailingSince, d.SwitchedOffAt = nil, nil
	}
	d.URL, d.Events, d.Enabled, d.UpdatedAt = address, sortEvents(events), enabled, now
	return d
}

// RotateSecret returns the destination with a new secret in front; the old ones sign, too, for [Overlap].
func (d Destination) RotateSecret(now time.Time) Destination {
	d.Secrets, d.UpdatedAt = d.Setting().RotateSecret(now).Secrets, now
	return d
}

// JudgeTry returns the destination after an attempt that ended at now, and whether that changes it: it is switched off
// once all attempts of [SwitchOffAfter] failed.
func (d Destination) JudgeTry(failed bool, now time.Time) (Destination, bool) {
	switch {
	case !failed:
		changed := d.FailingSince != nil
		d.FailingSince = nil
		return d, changed
	case d.FailingSince == nil:
		d.FailingSince = &now
		return d, true
	case d.Enabled && now.Sub(*d.FailingSince) >= SwitchOffAfter:
		d.Enabled, d.SwitchedOffAt = false, &now
		return d, true
	}
	return d, false
}

// CheckDestination validates a destination and returns its violations. Whether the host's addresses may be called (SSRF
// guard) is not checked here.
func CheckDestination(address string, events []EventType) (found strictjson.Violations) {
	if address == "" {
		found.AddViolation("url", "is needed: where the events are sent, beginning with https:// or http://")
	} else if fault := checkURL(address); fault != "" {
		found.AddViolation("url", "%s", fault)
	}
	return append(found, CheckEvents(events)...)
}

// CheckEvents validates a list of event types.
func CheckEvents(events []EventType) (found strictjson.Violations) {
	if len(events) == 0 {
		found.AddViolation("events", "must name at least one of %s", listEvents())
	}
	for i, event := range events {
		if !slices.Contains(AllEventTypes(), event) {
			found.AddViolation(fmt.Sprintf("events.%d", i), "must be one of %s", listEvents())
		}
	}
	return found
}

// sortEvents returns event types in the order of [AllEventTypes], each once.
func sortEvents(events []EventType) []EventType {
	return slices.DeleteFunc(AllEventTypes(), func(one EventType) bool { return !slices.Contains(events, one) })
}

// listEvents returns the names of all event types for a message.
func listEvents() string {
	var names []string
	for _, one := range AllEventTypes() {
		names = append(names, string(one))
	}
	return strings.Join(names, ", ")
}

// DestinationBoard holds an organization's destinations, the oldest first.
type DestinationBoard struct {
	Destinations []Destination `json:"destinations,omitempty"`
}

// FindDestination returns the destination of an id; nil without one.
func (b *DestinationBoard) FindDestination(id string) *Destination {
	for i := range b.Destinations {
		if b.Destinations[i].ID == id {
			return &b.Destinations[i]
		}
	}
	return nil
}

// RemoveDestination removes a destination; false without one.
func (b *DestinationBoard) RemoveDestination(id string) (removed Destination, found bool) {
	one := b.FindDestination(id)
	if one == nil {
		return removed, false
	}
	removed = *one
	b.Destinations = slices.DeleteFunc(slices.Clone(b.Destinations), func(d Destination) bool { return d.ID == id })
	return removed, true
}
