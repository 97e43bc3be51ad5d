package apimodel

import (
	"encoding/json"
	"fmt"
	"time"

	"munadi/store/call"
	"munadi/store/jsontext"
)

// NotificationBody is the body of a webhook notification.
type NotificationBody struct {
	CallID  string `json:"call_id"`
	Payload any    `json:"payload"` // CompletePayload or UnreachedPayload
}

// CompletePayload is the payload of a call that reached the customer and finished.
type CompletePayload struct {
	Type        string            `json:"type"` // "complete"
	CallStarted *Timestamp        `json:"call_started"`
	PhoneNumber string            `json:"phone_number"`
	ScenarioID  string            `json:"scenario_id"`
	Variables   map[string]any    `json:"variables"`
	Metadata    map[string]string `json:"metadata"`
	CampaignID  *string           `json:"campaign_id"`
	StartedAt   *Timestamp        `json:"started_at"`
	EndedAt     *Timestamp        `json:"ended_at"`
	EndedBy     *call.EndedBy     `json:"ended_by"`
	AttemptFields
	Data         CallData        `json:"call_data"`
	ResponseBody json.RawMessage `json:"response_body,omitempty"` // made by the scenario's response_body template
}

// CallData is the call inside a [CompletePayload].
type CallData struct {
	CallID       string               `json:"call_id"`
	Direction    call.CallDirection   `json:"direction"`
	PhoneNumber  string               `json:"phone_number"`
	Status       call.CallStatus      `json:"status"`
	Duration     int                  `json:"total_duration"` // whole seconds
	Transcript   EnhancedTranscript   `json:"enhanced_transcript"`
	Report       json.RawMessage      `json:"report"`
	Machine      *call.MachineVerdict `json:"machine"` // who answered; null if detection was off
	Transfers    []call.CallTransfer  `json:"transfers"`
	Holds        []call.CallHold      `json:"holds"`
	RecordingURL *string              `json:"recording_url"`
	CreatedAt    Timestamp            `json:"created_at"`
	StartedAt    *Timestamp           `json:"started_at"`
	EndedAt      *Timestamp           `json:"ended_at"`
}

// UnreachedPayload is the payload of a call that did not reach the customer; its type is its status.
type UnreachedPayload struct {
	Type        call.CallStatus      `json:"type"`
	CallID      string               `json:"call_id"`
	PhoneNumber string               `json:"phone_number"`
	ScenarioID  string               `json:"scenario_id"`
	Status      call.CallStatus      `json:"status"`
	Failure     *call.CallFailure    `json:"failure"`
	Machine     *call.MachineVerdict `json:"machine"` // who answered; null without an answer, or with detection off
	CreatedAt   Timestamp            `json:"created_at"`
	EndedAt     *Timestamp           `json:"ended_at"`
	AttemptFields
}

// BodyOf returns the notification of c's end. A call that has not ended, or was cancelled, has none, which is an
// error.
func BodyOf(c call.Call, links LinkMaker) ([]byte, error) {
	switch c.Status {
	case call.Completed:
		return jsontext.MarshalUnescaped(NotificationBody{CallID: c.ID, Payload: completeOf(c, links)})
	case call.NoAnswer, call.UserRejected, call.UserUnavailable, call.Automation, call.Failed:
		return jsontext.MarshalUnescaped(NotificationBody{CallID: c.ID, Payload: unreachedOf(c)})
	default:
		return nil, fmt.Errorf("a call that is %s has no notification", c.Status)
	}
}

func completeOf(c call.Call, links LinkMaker) CompletePayload {
	body := CompletePayload{
		Type: "complete", CallStarted: timeOf(c.StartedAt), PhoneNumber: c.PhoneNumber, ScenarioID: c.ScenarioID,
		Variables: variablesOf(c), Metadata: metadataOf(c), CampaignID: orNull(c.CampaignID),
		StartedAt: timeOf(c.StartedAt), EndedAt: timeOf(c.EndedAt), EndedBy: orNull(endedBy(c)),
		AttemptFields: attemptOf(c), ResponseBody: c.ResponseBody,
		Data: CallData{
			CallID: c.ID, Direction: c.Way(), PhoneNumber: c.PhoneNumber, Status: c.Status,
			Transcript: enhancedOf(c), Report: c.Report, Machine: c.Machine, Transfers: transfersOf(c),
			Holds:        holdsOf(c),
			RecordingURL: recordingOf(c, links),
			CreatedAt:    Timestamp(c.CreatedAt), StartedAt: timeOf(c.StartedAt), EndedAt: timeOf(c.EndedAt),
		},
	}
	if c.Duration != nil {
		body.Data.Duration = *c.Duration
	}
	if len(c.Report) == 0 {
		body.Data.Report = json.RawMessage("{}")
	}
	return body
}

func unreachedOf(c call.Call) UnreachedPayload {
	return UnreachedPayload{
		Type: c.Status, CallID: c.ID, PhoneNumber: c.PhoneNumber, ScenarioID: c.ScenarioID, Status: c.Status,
		Failure: c.Failure, Machine: c.Machine, CreatedAt: Timestamp(c.CreatedAt), EndedAt: timeOf(c.EndedAt),
		AttemptFields: attemptOf(c),
	}
}

// SampleCall returns the synthetic call of a test notification, in which every field is filled. id is the delivery's
// call id, at the time of the test.
func SampleCall(orgID, id string, at time.Time) call.Call {
	const seconds = 24
	started := at.Add(-seconds * time.Second)
	length := seconds
	return call.Call{
		ID: id, OrgID: orgID, Status: call.Completed, PhoneNumber: "+966500000001",
		ScenarioID: "appointment_confirmation", Booking: call.Immediate,
		CreatedAt: started.Add(-8 * time.Second), ScheduledAt: started.Add(-8 * time.Second),
		Attempt:   call.AttemptChain{Number: 1, Max: 1, ChainID: id},
		StartedAt: &started, EndedAt: &at, EndedBy: call.ByPlatform, Duration: &length,
		Messages: []call.Message{
			{
				Role: call.Assistant, Content: "السلام عليكم، هل تؤكد موعدك غداً الساعة العاشرة صباحاً؟",
				Start: 0.4, End: 6.2, Confidence: 1,
			},
			{Role: call.User, Content: "إيوه أكيد", Start: 7.1, End: 8.3, Confidence: 0.97},
			{Role: call.Assistant, Content: "شكراً لك، تم تأكيد الموعد. مع السلامة.", Start: 9, End: 13.5, Confidence: 1},
		},
		Report:    json.RawMessage(`{"confirmed":true}`),
		Recording: id,
	}
}
