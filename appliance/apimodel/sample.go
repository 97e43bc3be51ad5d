package apimodel

import (
	"encoding/json"
	"time"

	"munadi/store/call"
)

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
