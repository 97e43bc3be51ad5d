package wire

import "munadi/store/delivery"

// Delivery is a notification owed or made, with every try, as the delivery log lists it.
type Delivery struct {
	ID        string         `json:"id"`
	Kind      delivery.Kind  `json:"kind"`
	CallID    string         `json:"call_id"`
	State     delivery.State `json:"state"`
	CreatedAt Time           `json:"created_at"`
	NextAt    *Time          `json:"next_attempt_at"` // while pending
	Attempts  []Sent         `json:"attempts"`
}

// Sent is a try with what was said; bodies are cut to [delivery.MaxKept] bytes.
type Sent struct {
	Try
	URL      string `json:"url"`
	Request  string `json:"request_body"`
	Response string `json:"response_body"`
}

// DeliveryOf is d's body.
func DeliveryOf(d delivery.Delivery) Delivery {
	body := Delivery{
		ID: d.ID, Kind: d.Kind, CallID: d.CallID, State: d.State, CreatedAt: Time(d.CreatedAt),
		Attempts: make([]Sent, len(d.Tries)),
	}
	if d.State == delivery.Pending {
		body.NextAt = timeOf(&d.NextAt)
	}
	for i, t := range d.Tries {
		body.Attempts[i] = Sent{Try: tryOf(t), URL: t.URL, Request: t.Request, Response: t.Response}
	}
	return body
}
