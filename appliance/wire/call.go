package wire

import (
	"encoding/json"
	"time"

	"munadi/store/call"
	"munadi/store/delivery"
)

// Links makes the addresses that bodies carry; *link.Links does.
type Links interface {
	// Recording is a call's recording_url.
	Recording(orgID, callID string) string
}

// Call is a call as the API answers it.
type Call struct {
	ID          string            `json:"id"`
	Status      call.Status       `json:"status"`
	PhoneNumber string            `json:"phone_number"`
	ScenarioID  string            `json:"scenario_id"`
	CreatedAt   Time              `json:"created_at"`
	ScheduledAt Time              `json:"scheduled_at"`
	Booking     call.Booking      `json:"booking_outcome"`
	Metadata    map[string]string `json:"metadata"`
	Variables   map[string]any    `json:"variables"`
	CampaignID  *string           `json:"campaign_id"`
	Attempt
	StartedAt    *Time           `json:"started_at"`
	EndedAt      *Time           `json:"ended_at"`
	Duration     *int            `json:"total_duration"` // whole seconds
	EndedBy      *call.EndedBy   `json:"ended_by"`
	Failure      *call.Failure   `json:"failure"`
	Line         *Line           `json:"line"` // null where nothing was measured
	Transcript   Enhanced        `json:"enhanced_transcript"`
	Report       json.RawMessage `json:"report"`
	RecordingURL *string         `json:"recording_url"`
	Webhook      Webhook         `json:"webhook"`
}

// Attempt links the dials to one person; its fields stand flat in a Call and in a notification's payload.
type Attempt struct {
	Number      int     `json:"attempt_number"`
	Max         int     `json:"max_attempts"`
	ChainID     string  `json:"retry_chain_id"`
	PreviousID  *string `json:"previous_call_id"`
	NextID      *string `json:"next_call_id"`
	NextRetryAt *Time   `json:"next_retry_at"`
}

// Enhanced is what was said.
type Enhanced struct {
	Transcript struct {
		Messages []call.Message `json:"messages"`
	} `json:"transcript"`
	Errors []call.Trouble `json:"errors"`
}

// Line is what was measured on the call's line, and what was noticed about it.
type Line struct {
	call.Line
	Warnings []string `json:"warnings"`
}

// foreignSound is the warning of a call in which sound came from elsewhere.
const foreignSound = "Sound came from an address that was not agreed on."

func lineOf(c call.Call) *Line {
	if c.Line == nil {
		return nil
	}
	l := &Line{Line: *c.Line, Warnings: []string{}}
	if l.SIPCodes == nil {
		l.SIPCodes = []int{}
	}
	if l.Foreign > 0 {
		l.Warnings = append(l.Warnings, foreignSound)
	}
	return l
}

// Webhook is how the notification of a call's end fares.
type Webhook struct {
	State    delivery.State `json:"state"`
	Attempts []Try          `json:"attempts"`
}

// Try is one POST to the receiver.
type Try struct {
	At         Time    `json:"at"`
	StatusCode *int    `json:"status_code"`
	Error      *string `json:"error"`
	DurationMS int64   `json:"duration_ms"`
}

// CallOf is c's body; d is the delivery of its end, nil without one.
func CallOf(c call.Call, d *delivery.Delivery, links Links) Call {
	body := Call{
		ID: c.ID, Status: c.Status, PhoneNumber: c.PhoneNumber, ScenarioID: c.ScenarioID,
		CreatedAt: Time(c.CreatedAt), ScheduledAt: Time(c.ScheduledAt), Booking: c.Booking,
		CampaignID: orNull(c.CampaignID), Attempt: attemptOf(c), EndedBy: orNull(c.EndedBy),
		StartedAt: timeOf(c.StartedAt), EndedAt: timeOf(c.EndedAt), Duration: c.Duration, Failure: c.Failure, Line: lineOf(c),
		Transcript: enhancedOf(c), Report: c.Report, RecordingURL: recordingOf(c, links), Webhook: webhookOf(d),
	}
	body.Metadata, body.Variables = metadataOf(c), variablesOf(c)
	return body
}

// orNull is text for a body; nil, which becomes null, for an empty one.
func orNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

func metadataOf(c call.Call) map[string]string {
	if c.Metadata == nil {
		return map[string]string{}
	}
	return c.Metadata
}

func variablesOf(c call.Call) map[string]any {
	if c.Variables == nil {
		return map[string]any{}
	}
	return c.Variables
}

func attemptOf(c call.Call) Attempt {
	return Attempt{
		Number: max(c.Attempt.Number, 1), Max: max(c.Attempt.Max, 1), ChainID: c.Attempt.ChainID,
		PreviousID: c.Attempt.PreviousID, NextID: c.Attempt.NextID, NextRetryAt: timeOf(c.Attempt.NextRetryAt),
	}
}

func enhancedOf(c call.Call) Enhanced {
	e := Enhanced{Errors: c.Errors}
	e.Transcript.Messages = c.Messages
	if e.Transcript.Messages == nil {
		e.Transcript.Messages = []call.Message{}
	}
	if e.Errors == nil {
		e.Errors = []call.Trouble{}
	}
	return e
}

// Recorded says whether c has a recording that may be fetched: it was answered, has ended, and nobody erased it.
func Recorded(c call.Call) bool {
	return c.Recording != "" && c.Status.Final() && c.ErasedAt == nil
}

func recordingOf(c call.Call, links Links) *string {
	if !Recorded(c) {
		return nil
	}
	url := links.Recording(c.OrgID, c.ID)
	return &url
}

func webhookOf(d *delivery.Delivery) Webhook {
	if d == nil {
		return Webhook{State: delivery.None, Attempts: []Try{}}
	}
	return Webhook{State: d.State, Attempts: triesOf(d.Tries)}
}

func triesOf(tries []delivery.Try) []Try {
	list := make([]Try, len(tries))
	for i, t := range tries {
		list[i] = tryOf(t)
	}
	return list
}

func tryOf(t delivery.Try) Try {
	body := Try{At: Time(t.At), DurationMS: t.Duration.Round(time.Millisecond).Milliseconds()}
	if t.StatusCode != 0 {
		body.StatusCode = &t.StatusCode
	}
	if t.Error != "" {
		body.Error = &t.Error
	}
	return body
}
