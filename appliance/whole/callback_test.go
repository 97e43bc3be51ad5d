package whole_test

import (
	"testing"
)

// TestCallBackSettlesTheRetry follows call-backs to a person who has a retry booked: one whose extension does not answer
// is cancelled and counts for nothing, nor does one that a crash cuts off while the extension rings; one that reaches
// the person cancels the retry.
func TestCallBackSettlesTheRetry(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--time-scale", "2"}})
	number := simulatedNumber("93") // a machine, that staff listen to
	first := a.awaitEnded(t, a.bookCall(t, number, "appointment_confirmation", jsonObject{
		"retry": jsonObject{"max_attempts": 2, "delay_minutes": []int{60}},
	}).textAt("id"))
	retry := first.textAt("next_call_id")
	a.requestAPI(t, "PATCH", "/organization", jsonObject{"attempts_per_day": 2}).wantStatus(t, 200)
	callBack := func(a *testInstance, extension string) string {
		t.Helper()
		made := a.requestAPI(t, "POST", "/calls/"+first.textAt("id")+"/call_back", jsonObject{"extension": extension})
		return jsonObject(made.wantStatus(t, 202).successData(t)).textAt("id")
	}
	wantUncalled := func(a *testInstance, id, reason string) {
		t.Helper()
		c := a.awaitEnded(t, id)
		if c.textAt("status") != "cancelled" || c.textAt("failure", "reason") != reason || c.valueAt("started_at") != nil ||
			c.textAt("previous_call_id") != first.textAt("id") || c.textAt("webhook", "state") != "none" {
			t.Errorf("a call-back whose person was not called is %v", c)
		}
		failed := jsonObject(a.requestAPI(t, "GET", "/calls?status=failed", nil).wantStatus(t, 200).jsonBody(t))
		if n := len(failed.listAt("data")); n != 0 {
			t.Errorf("%d failed calls are listed", n)
		}
		if c := a.fetchCall(t, retry); c.textAt("status") != "scheduled" {
			t.Errorf("the retry is %v", c)
		}
	}
	wantUncalled(a, callBack(a, "sip:296@pbx.example"), "staff_unreached") // is busy
	ringing := callBack(a, "sip:290@pbx.example")                          // is never answered
	a.awaitCall(t, ringing, func(c jsonObject) bool { return c.textAt("status") == "dialing" })
	a.killProcess(t)

	b := startFastCalls(t, instanceSettings{data: a.Data, noKey: true})
	wantUncalled(b, ringing, "interrupted")
	c := b.awaitEnded(t, callBack(b, "sip:200@pbx.example"))
	if c.textAt("status") != "completed" {
		t.Fatalf("the call-back is %v", c)
	}
	if c := b.fetchCall(t, retry); c.textAt("status") != "cancelled" {
		t.Errorf("the retry of a person who was reached is %v", c)
	}
	if c := b.fetchCall(t, first.textAt("id")); c.valueAt("next_retry_at") != nil {
		t.Errorf("the call before the retry is %v", c)
	}
	b.requestAPI(t, "POST", "/calls/"+first.textAt("id")+"/call_back", jsonObject{"extension": "sip:200@pbx.example"}).
		wantStatus(t, 409) // the second attempt of the day was made
}
