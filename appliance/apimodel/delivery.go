package apimodel

import "munadi/store/delivery"

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
