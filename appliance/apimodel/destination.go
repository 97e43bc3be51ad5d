package apimodel

import (
	"time"

	"munadi/store/delivery"
)

// DestinationBody is a destination of events as the API answers it.
type DestinationBody struct {
	ID        string               `json:"id"`
	URL       string               `json:"url"`
	Events    []delivery.EventType `json:"events"`
	Enabled   bool                 `json:"enabled"`
	Secrets   []SecretInfo         `json:"secrets"` // those that sign now, the newest first
	CreatedAt Timestamp            `json:"created_at"`
	UpdatedAt Timestamp            `json:"updated_at"`
	// FailingSince and SwitchedOffAt: see [delivery.Destination].
	FailingSince  *Timestamp `json:"failing_since"`
	SwitchedOffAt *Timestamp `json:"switched_off_at"`
	Secret        *string    `json:"secret,omitempty"` // only in the response that created it
}

// DestinationOf returns d's body at now, without the values of its secrets.
func DestinationOf(d delivery.Destination, now time.Time) DestinationBody {
	return DestinationBody{
		ID: d.ID, URL: d.URL, Events: d.Events, Enabled: d.Enabled, Secrets: secretsOf(d.Setting(), now),
		CreatedAt: Timestamp(d.CreatedAt), UpdatedAt: Timestamp(d.UpdatedAt),
		FailingSince: timeOf(d.FailingSince), SwitchedOffAt: timeOf(d.SwitchedOffAt),
	}
}

// EventReplayBody is what came of a replay of events.
type EventReplayBody struct {
	Queued int        `json:"queued"`
	More   *Timestamp `json:"more_from"` // where the next replay begins; null if everything was queued
}

// EventDeliveryBody is the delivery of an event to a destination, with every attempt.
type EventDeliveryBody struct {
	ID        string                 `json:"id"` // of the event: webhook-id
	Type      delivery.EventType     `json:"type"`
	SubjectID string                 `json:"subject_id"` // of the call, campaign or job
	State     delivery.DeliveryState `json:"state"`
	CreatedAt Timestamp              `json:"created_at"`
	NextAt    *Timestamp             `json:"next_attempt_at"` // while pending
	Attempts  []EventTry             `json:"attempts"`
}

// EventTry is an attempt to deliver an event; the response's body is truncated to [delivery.MaxKept] bytes.
type EventTry struct {
	WebhookTry
	URL      string `json:"url"`
	Response string `json:"response_body"`
}

// EventDeliveryOf returns d's body.
func EventDeliveryOf(d delivery.Delivery) EventDeliveryBody {
	body := EventDeliveryBody{
		ID: d.ID, Type: d.Event, SubjectID: d.CallID, State: d.State, CreatedAt: Timestamp(d.CreatedAt),
		Attempts: make([]EventTry, len(d.Tries)),
	}
	if d.State == delivery.Pending {
		body.NextAt = timeOf(&d.NextAt)
	}
	for i, t := range d.Tries {
		body.Attempts[i] = EventTry{WebhookTry: tryOf(t), URL: t.URL, Response: t.Response}
	}
	return body
}

// EventBody is what a destination receives.
type EventBody struct {
	Type      delivery.EventType `json:"type"`
	ID        string             `json:"id"`
	Timestamp Timestamp          `json:"timestamp"`
	Data      any                `json:"data"` // CallBody, CampaignBody, or the JSON of a job
}

// EventBodyOf returns the body of an event about data.
func EventBodyOf(d delivery.Delivery, data any) EventBody {
	return EventBody{Type: d.Event, ID: d.ID, Timestamp: Timestamp(d.CreatedAt), Data: data}
}

// DeliveryBody is a notification with every delivery attempt, as the delivery log lists it.
type DeliveryBody struct {
	ID        string                 `json:"id"`
	Kind      delivery.DeliveryKind  `json:"kind"`
	CallID    string                 `json:"call_id"`
	State     delivery.DeliveryState `json:"state"`
	CreatedAt Timestamp              `json:"created_at"`
	NextAt    *Timestamp             `json:"next_attempt_at"` // while pending
	Attempts  []SentTry              `json:"attempts"`
}

// SentTry is a delivery attempt with its request and response; bodies are truncated to [delivery.MaxKept] bytes.
type SentTry struct {
	WebhookTry
	URL      string `json:"url"`
	Request  string `json:"request_body"`
	Response string `json:"response_body"`
}

// DeliveryOf returns d's body.
func DeliveryOf(d delivery.Delivery) DeliveryBody {
	body := DeliveryBody{
		ID: d.ID, Kind: d.Kind, CallID: d.CallID, State: d.State, CreatedAt: Timestamp(d.CreatedAt),
		Attempts: make([]SentTry, len(d.Tries)),
	}
	if d.State == delivery.Pending {
		body.NextAt = timeOf(&d.NextAt)
	}
	for i, t := range d.Tries {
		body.Attempts[i] = SentTry{WebhookTry: tryOf(t), URL: t.URL, Request: t.Request, Response: t.Response}
	}
	return body
}
