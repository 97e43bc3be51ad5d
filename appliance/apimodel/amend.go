package apimodel

import (
	"encoding/json"

	"munadi/store/call"
)

// AmendedFields are the staff's additions to a call; they are flat in a Call, and not in notifications.
type AmendedFields struct {
	CorrectedReport json.RawMessage  `json:"corrected_report,omitempty"` // the report with its corrections; absent without
	Corrections     []CorrectionBody `json:"corrections"`
	Notes           []NoteBody       `json:"notes"`
	NeedsPerson     *NeedBody        `json:"needs_person"` // null if it was never marked
}

// NoteBody is a note on a call.
type NoteBody struct {
	At   Timestamp `json:"at"`
	By   string    `json:"by"` // user:ID or key:ID
	Text string    `json:"text"`
}

// NeedBody holds why, and since when, a person must follow a call up, and who does.
type NeedBody struct {
	Open    bool            `json:"open"`
	Reason  call.NeedReason `json:"reason"`
	At      Timestamp       `json:"at"`
	By      string          `json:"by"`
	TakenBy *string         `json:"taken_by"`
	TakenAt *Timestamp      `json:"taken_at"`
	DoneBy  *string         `json:"done_by"`
	DoneAt  *Timestamp      `json:"done_at"`
}

// CorrectionBody is one correction: of an answer (slot) or of a turn of the transcript (message, its index). before is
// the previous value; null in lists, which have no messages.
type CorrectionBody struct {
	At      Timestamp       `json:"at"`
	By      string          `json:"by"`
	Slot    *string         `json:"slot"`
	Message *int            `json:"message"`
	Before  json.RawMessage `json:"before"`
	After   json.RawMessage `json:"after"`
}

// amendedOf returns the staff's additions to a call.
func amendedOf(c call.Call) AmendedFields {
	f := AmendedFields{Corrections: correctionsOf(c), Notes: make([]NoteBody, len(c.Notes)), NeedsPerson: needOf(c.Need)}
	for i, n := range c.Notes {
		f.Notes[i] = NoteBody{Timestamp(n.At), n.By, n.Text}
	}
	if c.HasCorrections() {
		f.CorrectedReport = c.CurrentReport()
	}
	return f
}

func needOf(n *call.PersonNeed) *NeedBody {
	if n == nil {
		return nil
	}
	return &NeedBody{
		Open: n.IsOpen(), Reason: n.Reason, At: Timestamp(n.At), By: n.By, TakenBy: orNull(n.TakenBy),
		TakenAt: timeOf(n.TakenAt), DoneBy: orNull(n.DoneBy), DoneAt: timeOf(n.DoneAt),
	}
}

// correctionsOf returns the corrections of a call, oldest first.
func correctionsOf(c call.Call) []CorrectionBody {
	all := make([]CorrectionBody, len(c.Corrections))
	until := c
	for i, one := range c.Corrections {
		until.Corrections = c.Corrections[:i]
		body := CorrectionBody{
			At: Timestamp(one.At), By: one.By, Slot: orNull(one.Slot), Message: one.Message, After: one.Value,
		}
		if one.Message != nil {
			body.After = textOf(one.Content)
			if messages := until.CurrentMessages(); *one.Message < len(messages) {
				body.Before = textOf(messages[*one.Message].Content)
			}
		} else {
			var values map[string]json.RawMessage
			_ = json.Unmarshal(until.CurrentReport(), &values) // null where it cannot be read
			body.Before = values[one.Slot]
		}
		all[i] = body
	}
	return all
}

// textOf returns a text as JSON.
func textOf(text string) json.RawMessage {
	raw, err := json.Marshal(text)
	if err != nil { // cannot fail for a string
		return nil
	}
	return raw
}
