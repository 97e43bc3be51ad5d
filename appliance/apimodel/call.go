package apimodel

import (
	"encoding/json"
	"time"

	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/jsontext"
)

// LinkMaker makes the addresses that bodies carry; *signedurl.SignedLinks is one.
type LinkMaker interface {
	// RecordingURL returns a call's recording_url.
	RecordingURL(orgID, callID string) string
}

// CallBody is a call in the API's JSON.
type CallBody struct {
	ID          string              `json:"id"`
	Status      call.CallStatus     `json:"status"`
	Direction   call.CallDirection  `json:"direction"`
	Trial       bool                `json:"trial"`         // a conversation with a browser, which was no call
	Called      *string             `json:"called_number"` // of an inbound call; null for an outbound one
	Caller      *string             `json:"caller_number"` // that an outbound call showed; null before, and if not known
	PhoneNumber string              `json:"phone_number"`
	ScenarioID  string              `json:"scenario_id"`
	CreatedAt   Timestamp           `json:"created_at"`
	ScheduledAt Timestamp           `json:"scheduled_at"`
	Booking     call.BookingOutcome `json:"booking_outcome"`
	Metadata    map[string]string   `json:"metadata"`
	Variables   map[string]any      `json:"variables"`
	CampaignID  *string             `json:"campaign_id"`
	Staff       *string             `json:"staff"` // of a call-back
	AttemptFields
	StartedAt    *Timestamp           `json:"started_at"`
	EndedAt      *Timestamp           `json:"ended_at"`
	Duration     *int                 `json:"total_duration"` // whole seconds
	EndedBy      *call.EndedBy        `json:"ended_by"`
	Failure      *call.CallFailure    `json:"failure"`
	Machine      *call.MachineVerdict `json:"machine"` // null if not answered
	Line         *LineBody            `json:"line"`    // null without measurements
	Transfers    []call.CallTransfer  `json:"transfers"`
	Holds        []call.CallHold      `json:"holds"`
	Transcript   EnhancedTranscript   `json:"enhanced_transcript"`
	Report       json.RawMessage      `json:"report"`
	RecordingURL *string              `json:"recording_url"`
	Webhook      WebhookState         `json:"webhook"`
	AmendedFields
}

// AttemptFields links the attempts of a retry chain; its fields are flat in a Call and in a notification's payload.
type AttemptFields struct {
	Number      int        `json:"attempt_number"`
	Max         int        `json:"max_attempts"`
	ChainID     string     `json:"retry_chain_id"`
	PreviousID  *string    `json:"previous_call_id"`
	NextID      *string    `json:"next_call_id"`
	NextRetryAt *Timestamp `json:"next_retry_at"`
}

// EnhancedTranscript is the transcript of a call and its errors.
type EnhancedTranscript struct {
	Transcript struct {
		Messages []call.Message `json:"messages"`
	} `json:"transcript"`
	Errors []call.CallError `json:"errors"`
}

// LineBody is the measured quality of the call's line, with warnings.
type LineBody struct {
	call.LineFacts
	Warnings []string `json:"warnings"`
}

// foreignAudioWarning warns that RTP packets came from an address that was not negotiated.
const foreignAudioWarning = "Sound came from an address that was not agreed on."

func lineOf(c call.Call) *LineBody {
	if c.Line == nil {
		return nil
	}
	l := &LineBody{LineFacts: *c.Line, Warnings: []string{}}
	if l.SIPCodes == nil {
		l.SIPCodes = []int{}
	}
	if l.Foreign > 0 {
		l.Warnings = append(l.Warnings, foreignAudioWarning)
	}
	return l
}

// WebhookState is the state of the notification of a call's end.
type WebhookState struct {
	State    delivery.DeliveryState `json:"state"`
	Attempts []WebhookTry           `json:"attempts"`
}

// WebhookTry is one delivery attempt: a POST to the webhook URL.
type WebhookTry struct {
	At         Timestamp `json:"at"`
	StatusCode *int      `json:"status_code"`
	Error      *string   `json:"error"`
	DurationMS int64     `json:"duration_ms"`
}

// CallOf returns c's body; d is the delivery of its notification, nil without one.
func CallOf(c call.Call, d *delivery.Delivery, links LinkMaker) CallBody {
	body := CallBody{
		ID: c.ID, Status: c.Status, Direction: c.Way(), Trial: c.Trial,
		Called: orNull(c.CalledNumber), Caller: orNull(c.ShownNumber), PhoneNumber: c.PhoneNumber,
		ScenarioID: c.ScenarioID,
		CreatedAt:  Timestamp(c.CreatedAt), ScheduledAt: Timestamp(c.ScheduledAt), Booking: c.Booking,
		CampaignID: orNull(c.CampaignID), Staff: orNull(c.Staff), AttemptFields: attemptOf(c), EndedBy: orNull(endedBy(c)),
		StartedAt: timeOf(c.StartedAt), EndedAt: timeOf(c.EndedAt), Duration: c.Duration, Failure: c.Failure,
		Machine: c.Machine, Line: lineOf(c), Transfers: transfersOf(c),
		Holds:      holdsOf(c),
		Transcript: enhancedOf(c), Report: c.Report, RecordingURL: recordingOf(c, links), Webhook: webhookOf(d),
		AmendedFields: amendedOf(c),
	}
	body.Metadata, body.Variables = metadataOf(c), variablesOf(c)
	return body
}

// holdsOf returns the spans in which a side held a call.
func holdsOf(c call.Call) []call.CallHold { return append([]call.CallHold{}, c.Holds...) }

// transfersOf returns the attempts to connect a call with a person.
func transfersOf(c call.Call) []call.CallTransfer {
	return append([]call.CallTransfer{}, c.Transfers...)
}

// endedBy returns who ended a call; empty while it has not ended. For calls that ended before this was recorded it is
// derived: the carrier without an answer, otherwise the platform.
func endedBy(c call.Call) call.EndedBy {
	switch {
	case c.EndedBy != "" || !c.Status.IsFinal():
		return c.EndedBy
	case c.Status == call.Cancelled:
		return call.ByOperator
	case c.StartedAt == nil:
		return call.ByCarrier
	default:
		return call.ByPlatform
	}
}

// orNull returns a pointer to text; nil, which becomes null, if it is empty.
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

func attemptOf(c call.Call) AttemptFields {
	return AttemptFields{
		Number: max(c.Attempt.Number, 1), Max: max(c.Attempt.Max, 1), ChainID: c.Attempt.ChainID,
		PreviousID: c.Attempt.PreviousID, NextID: c.Attempt.NextID, NextRetryAt: timeOf(c.Attempt.NextRetryAt),
	}
}

func enhancedOf(c call.Call) EnhancedTranscript {
	e := EnhancedTranscript{Errors: c.Errors}
	e.Transcript.Messages = c.Messages
	if e.Transcript.Messages == nil {
		e.Transcript.Messages = []call.Message{}
	}
	if e.Errors == nil {
		e.Errors = []call.CallError{}
	}
	return e
}

// HasRecording reports whether c has a recording that may be downloaded, see [call.Call.HasRecording].
func HasRecording(c call.Call) bool { return c.HasRecording() }

func recordingOf(c call.Call, links LinkMaker) *string {
	if !HasRecording(c) {
		return nil
	}
	url := links.RecordingURL(c.OrgID, c.ID)
	return &url
}

func webhookOf(d *delivery.Delivery) WebhookState {
	if d == nil {
		return WebhookState{State: delivery.None, Attempts: []WebhookTry{}}
	}
	return WebhookState{State: d.State, Attempts: triesOf(d.Tries)}
}

func triesOf(tries []delivery.DeliveryTry) []WebhookTry {
	list := make([]WebhookTry, len(tries))
	for i, t := range tries {
		list[i] = tryOf(t)
	}
	return list
}

func tryOf(t delivery.DeliveryTry) WebhookTry {
	body := WebhookTry{At: Timestamp(t.At), DurationMS: t.Duration.Round(time.Millisecond).Milliseconds()}
	if t.StatusCode != 0 {
		body.StatusCode = &t.StatusCode
	}
	if t.Error != "" {
		body.Error = &t.Error
	}
	return body
}

// TraceBody is the line trace of a call.
type TraceBody struct {
	CallID   string               `json:"call_id"`
	Messages []TraceMessage       `json:"messages"` // the SIP ladder, in order of time
	Omitted  int                  `json:"omitted"`  // messages from its middle that were not kept
	Quality  []call.QualitySample `json:"quality"`
}

// TraceMessage is one message of a SIP ladder.
type TraceMessage struct {
	At        string   `json:"at"`
	Leg       int      `json:"leg"`       // 0: the person's; from 1: to members of staff, in the order of their calls
	Direction string   `json:"direction"` // sent or received
	Peer      string   `json:"peer"`
	StartLine string   `json:"start_line"`
	Headers   []string `json:"headers"`
	SDP       []string `json:"sdp"`
	Repeats   int      `json:"repeats"`
	Truncated bool     `json:"truncated"`
}

// TraceOf returns the body of a call's line trace.
func TraceOf(id string, t call.LineTrace) TraceBody {
	body := TraceBody{CallID: id, Messages: []TraceMessage{}, Omitted: t.Omitted, Quality: []call.QualitySample{}}
	for _, m := range t.Messages {
		direction := "received"
		if m.Sent {
			direction = "sent"
		}
		body.Messages = append(body.Messages, TraceMessage{
			At: jsontext.FormatTime(m.At), Leg: m.Leg, Direction: direction, Peer: m.Peer, StartLine: m.Line,
			Headers: append([]string{}, m.Headers...), SDP: append([]string{}, m.SDP...), Repeats: m.Repeats, Truncated: m.Cut,
		})
	}
	body.Quality = append(body.Quality, t.Quality...)
	return body
}
