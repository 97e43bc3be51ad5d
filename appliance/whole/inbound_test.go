package whole_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestInboundCall follows a person whom a campaign did not reach and who calls back: their call has the scenario and the
// variables of the call to them, is recorded and notified as any other, the booked retry is cancelled, and the campaign
// counts their answer.
func TestInboundCall(t *testing.T) {
	t.Parallel()
	a := startFastCalls(t, instanceSettings{})
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	a.requestAPI(t, http.MethodPut, "/inbound", jsonObject{"callback_days": 1, "routes": []jsonObject{
		{"number": "+966112345678", "scenario_id": "restaurant_order"},
	}}).wantStatus(t, 200)
	person := simulatedNumber("99") // answers no first attempt
	made := a.requestAPI(t, http.MethodPost, "/campaigns", jsonObject{
		"name": "Visits", "scenario_id": "appointment_confirmation", "retry": jsonObject{"max_attempts": 2, "delay_minutes": []int{60}},
		"calls": []jsonObject{{"phone_number": person, "variables": jsonObject{"name": "سارة"}, "metadata": jsonObject{"row": "7"}}},
	}).wantStatus(t, 201).successData(t)
	campaign := "campaign_id=" + made.textAt("id")
	booked := jsonObject(a.requestAPI(t, http.MethodGet, "/calls?"+campaign, nil).wantStatus(t, 200).jsonBody(t)).listAt("data")
	missed := a.awaitEnded(t, jsonObject(booked[0].(map[string]any)).textAt("id"))
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
		c.textAt("variables", "name") != "سارة" || c.textAt("metadata", "row") != "7" || c.textAt("campaign_id") != made.textAt("id") || told.textAt("payload", "call_data", "direction") != "inbound" {
		t.Errorf("the call back is %v, told as %v", c, told)
	}
	if c.valueAt("report", "confirmed") != true {
		t.Errorf("the report is %v", c.valueAt("report"))
	}
	checkRecording(t, a, c)
	if retry := a.fetchCall(t, missed.textAt("next_call_id")); retry.textAt("status") != "cancelled" {
		t.Errorf("the retry is %v", retry)
	}
	counted := a.requestAPI(t, http.MethodGet, "/campaigns/"+made.textAt("id"), nil).wantStatus(t, 200).successData(t)
	if counted.textAt("status") != "finished" || counted.valueAt("people", "total") != 1.0 || counted.valueAt("people", "counts", "completed") != 1.0 ||
		counted.valueAt("people", "unreached") != 0.0 || counted.valueAt("answers", "confirmed", "true") != 1.0 {
		t.Errorf("the campaign is %v", counted)
	}
	people := jsonObject(a.requestAPI(t, http.MethodGet, "/calls?people=all&"+campaign, nil).wantStatus(t, 200).jsonBody(t)).listAt("data")
	if len(people) != 1 || jsonObject(people[0].(map[string]any)).textAt("id") != id {
		t.Errorf("the people are %v", people)
	}
	csv := string(a.requestAPI(t, http.MethodGet, "/campaigns/"+made.textAt("id")+"/results.csv", nil).wantStatus(t, 200).Body)
	if strings.Count(csv, "\n") != 4 || strings.Count(csv, ",outbound,") != 2 || strings.Count(csv, ",inbound,") != 1 {
		t.Errorf("results:\n%s", csv)
	}
	calls["to"] = "+15550001111"
	a.requestAPI(t, http.MethodPost, "/inbound/simulate", calls).wantFailure(t, 422, "validation_error")
	calls["to"] = "+966112345678"
	askedWhatIsOpen(t, a, calls)
}

// askedWhatIsOpen checks that a person who hung up after their first answer, and calls back twice, is asked the questions
// alone that are still open.
func askedWhatIsOpen(t *testing.T, a *testInstance, calls jsonObject) {
	t.Helper()
	calls["from"] = simulatedNumber("95") // hangs up after the first answer
	first := a.awaitEnded(t, a.bookCall(t, simulatedNumber("95"), "restaurant_order", nil).textAt("id"))
	before := first
	for range 2 {
		a.requestAPI(t, http.MethodPost, "/inbound/simulate", calls).wantStatus(t, 202)
		list := jsonObject(a.requestAPI(t, http.MethodGet, "/calls?direction=inbound", nil).wantStatus(t, 200).jsonBody(t)).listAt("data")
		again := a.awaitEnded(t, jsonObject(list[0].(map[string]any)).textAt("id"))
		if again.textAt("previous_call_id") != first.textAt("id") {
			t.Fatalf("the call back is %v", again)
		}
		kept, more := 0, 0
		for property, value := range before.objectAt("report") {
			switch now := again.valueAt("report", property); {
			case value != nil && fmt.Sprint(now) == fmt.Sprint(value):
				kept++
			case value != nil:
				t.Errorf("%s was %v, and is %v", property, value, now)
			case now != nil:
				more++
			}
		}
		if kept == 0 || more == 0 {
			t.Errorf("%d answers are kept, %d more are given:\n%v\n%v", kept, more, before.objectAt("report"), again.objectAt("report"))
		}
		before = again
	}
}
