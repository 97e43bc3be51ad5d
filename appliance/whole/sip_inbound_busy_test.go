package whole_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"testing"
	"time"

	"munadi/appliance/carrier/sip/sipptest"
)

// TestCallersWhileTheyAreCalled calls in with SIPp twice at the same time from the number that a campaign is ringing just
// then, written without its country code, while outbound calls would use every line: both are taken on the lines that are
// left for them and get the campaign's scenario, no retry is booked when the ringing ends, and the campaign counts one
// person.
func TestCallersWhileTheyAreCalled(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	phone := sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: numbersScenario(t), Sound: sineTone(1000, 440)})
	listen := netip.AddrPortFrom(sipptest.OwnAddress(), 5060)
	a := startWithTrunk(t, phone.TrunkAddress(), "--sip-listen", listen.String(), "--lines", "4", "--inbound-lines", "2")
	a.tends = append(a.tends, "trunk") // which answers nothing once its telephone has gone
	for _, id := range []string{"visits", "others"} {
		a.requestAPI(t, http.MethodPost, "/scenarios", jsonObject{"id": id, "name": id, "language": "ar", "answering_machine": "off", "ring_seconds": 30, "steps": []jsonObject{
			{"id": "line", "type": "say", "say": slices.Repeat([]string{"هل تؤكدون الحضور في هذا الموعد"}, 3)}, {"id": "end", "type": "end"},
		}}).wantStatus(t, 201)
	}
	a.requestAPI(t, http.MethodPut, "/inbound", jsonObject{"callback_days": 1, "routes": []jsonObject{{"number": "+96611*", "scenario_id": "others"}}}).wantStatus(t, 200)
	a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"time_zone": "Asia/Riyadh"}).wantStatus(t, 200)
	made := a.requestAPI(t, http.MethodPost, "/campaigns", jsonObject{
		"name": "Visits", "scenario_id": "visits", "retry": jsonObject{"max_attempts": 2, "delay_minutes": []int{60}},
		"calls": []jsonObject{{"phone_number": "+966500000090"}},
	}).wantStatus(t, 201).successData(t)
	booked := jsonObject(a.requestAPI(t, http.MethodGet, "/calls?campaign_id="+made.textAt("id"), nil).wantStatus(t, 200).jsonBody(t)).listAt("data")
	rung := jsonObject(booked[0].(map[string]any)).textAt("id")
	a.awaitCall(t, rung, func(c jsonObject) bool { return c.textAt("status") == "dialing" })
	for i := range 4 {
		a.bookCall(t, fmt.Sprintf("+9665000%03d01", i), "others", nil)
	}
	var callers []*sipptest.SIPpPeer
	for i := range uint16(2) {
		callers = append(callers, sipptest.PlayScenario(t, sipptest.ScenarioSettings{
			Scenario: inboundCaller(t, "0500000090", "966112345678", ""), Sound: sineTone(1000, personTone), Calls: listen,
			At: netip.AddrPortFrom(phone.At.Addr(), 5070+2*i),
		}))
	}
	most := 0
	for _, caller := range callers {
		for ended := false; !ended; {
			most = max(most, len(jsonObject(a.requestAPI(t, http.MethodGet, "/calls?direction=outbound&status=dialing,in_progress", nil).wantStatus(t, 200).jsonBody(t)).listAt("data")))
			select {
			case <-caller.ExitedChan():
				ended = true
			case <-time.After(200 * time.Millisecond):
			}
		}
		caller.EndCalls(t)
	}
	if most != 2 {
		t.Errorf("%d of the 4 lines are used by outbound calls while 2 are left for callers", most)
	}
	ids := newInboundCalls(t, a, map[string]bool{})
	if len(ids) != 2 {
		t.Fatalf("%d calls come in", len(ids))
	}
	for _, id := range ids {
		c := a.awaitEnded(t, id)
		if c.textAt("status") != "completed" || c.textAt("phone_number") != "+966500000090" || c.textAt("scenario_id") != "visits" ||
			c.textAt("previous_call_id") != rung || c.textAt("campaign_id") != made.textAt("id") {
			t.Errorf("a call back is %v", c)
		}
	}
	c := a.awaitEnded(t, rung)
	if c.textAt("status") != "no_answer" || c.valueAt("next_retry_at") != nil || !slices.Contains(ids, c.textAt("next_call_id")) {
		t.Errorf("the call that rang meanwhile is %v", c)
	}
	counted := a.requestAPI(t, http.MethodGet, "/campaigns/"+made.textAt("id"), nil).wantStatus(t, 200).successData(t)
	if counted.textAt("status") != "finished" || counted.valueAt("people", "total") != 1.0 || counted.valueAt("people", "counts", "completed") != 1.0 ||
		counted.valueAt("counts", "completed") != 2.0 || counted.valueAt("counts", "no_answer") != 1.0 {
		t.Errorf("the campaign is %v", counted)
	}
}
