package whole_test

import (
	"net/http"
	"testing"
)

// TestInboundCall follows a person whom nobody reached and who calls back: their call has the scenario and the variables
// of the call to them, is recorded and notified as any other, and the booked retry is cancelled.
func TestInboundCall(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	a.requestAPI(t, http.MethodPut, "/inbound", jsonObject{"callback_days": 1, "routes": []jsonObject{
		{"number": "+966112345678", "scenario_id": "restaurant_order"},
	}}).wantStatus(t, 200)
	person := simulatedNumber("99") // answers no first attempt
	missed := a.awaitEnded(t, a.bookCall(t, person, "appointment_confirmation", jsonObject{
		"variables": jsonObject{"name": "سارة"}, "retry": jsonObject{"max_attempts": 2, "delay_minutes": []int{60}},
	}).textAt("id"))
	calls := jsonObject{"from": person, "to": "+966112345678"}
	rings := a.requestAPI(t, http.MethodPost, "/inbound/simulate", calls).wantStatus(t, 202).successData(t)
	if code, there := rings["sip_code"]; code != nil || !there {
		t.Errorf("refused: %v", rings)
	}
	list := jsonObject(a.requestAPI(t, http.MethodGet, "/calls?direction=inbound", nil).wantStatus(t, 200).jsonBody(t)).listAt("data")
	if len(list) != 1 {
		t.Fatalf("inbound calls: %v", list)
	}
	id := jsonObject(list[0].(map[string]any)).textAt("id")
	told := hook.awaitNotification(t, id)
	c := a.awaitEnded(t, id)
	if c.textAt("status") != "completed" || c.textAt("scenario_id") != "appointment_confirmation" || c.textAt("phone_number") != person ||
		c.textAt("called_number") != "+966112345678" || c.textAt("previous_call_id") != missed.textAt("id") ||
		c.textAt("variables", "name") != "سارة" || told.textAt("payload", "call_data", "direction") != "inbound" {
		t.Errorf("the call back is %v, told as %v", c, told)
	}
	if c.valueAt("report", "confirmed") != true {
		t.Errorf("the report is %v", c.valueAt("report"))
	}
	checkRecording(t, a, c)
	if retry := a.fetchCall(t, missed.textAt("next_call_id")); retry.textAt("status") != "cancelled" {
		t.Errorf("the retry is %v", retry)
	}
	calls["to"] = "+15550001111"
	a.requestAPI(t, http.MethodPost, "/inbound/simulate", calls).wantFailure(t, 422, "validation_error")
}
