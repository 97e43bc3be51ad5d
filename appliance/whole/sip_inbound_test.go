package whole_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier/sip/sipptest"
)

// inboundCaller is the scenario of a caller for SIPp: calls and is answered, or refused with a status.
func inboundCaller(t *testing.T, from, to, refused string) string {
	t.Helper()
	name := "caller.xml"
	if refused != "" {
		name = "caller-refused.xml"
	}
	text, err := os.ReadFile(filepath.Join("testdata", name))
	mustSucceed(t, err)
	return strings.NewReplacer("FROM", from, "TO", to, "STATUS", refused).Replace(string(text))
}

// TestInboundOverSIP calls in with SIPp from the address of a trunk: which scenario whom answers, what is said outside
// calling hours, who is refused, and what the calls are in the API. The kill switch and the suppression list stop nobody
// who calls.
func TestInboundOverSIP(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	phone := sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: numbersScenario(t), Sound: sineTone(1000, 440)})
	listen := netip.AddrPortFrom(sipptest.OwnAddress(), 5060)
	a := startWithTrunk(t, phone.TrunkAddress(), "--sip-listen", listen.String(), "--inbound-lines", "1")
	a.tends = append(a.tends, "trunk") // which answers nothing once its telephone has gone
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	const attends, meals, closed = "هل تؤكدون الحضور في هذا الموعد", "كم وجبة تريد", "مع السلامة"
	for id, line := range map[string]string{"visits": attends, "meals": meals} {
		a.requestAPI(t, http.MethodPost, "/scenarios", jsonObject{"id": id, "name": id, "language": "ar", "steps": []jsonObject{
			{"id": "line", "type": "say", "say": line}, {"id": "end", "type": "end"},
		}}).wantStatus(t, 201)
	}
	routes := []jsonObject{ // which overlap: the exact number counts, then the longest beginning
		{"number": "+96611*", "scenario_id": "meals"},
		{"number": "+966112345678", "scenario_id": "visits"},
		{"number": "+96611555*", "scenario_id": "meals"},
		{"number": "+9661155*", "scenario_id": "visits"},
	}
	a.requestAPI(t, http.MethodPut, "/inbound", jsonObject{"routes": routes, "callback_days": 1}).wantStatus(t, 200)
	a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"recording": "announce"}).wantStatus(t, 200)
	const known = "+966500000096" // is busy when called
	missed := a.awaitEnded(t, a.bookCall(t, known, "meals", jsonObject{
		"retry": jsonObject{"max_attempts": 2, "delay_minutes": []int{60}},
	}).textAt("id"))
	phone.EndCalls(t)
	a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"kill_switch": true}).wantStatus(t, 200)
	a.requestAPI(t, http.MethodPost, "/suppressions", jsonObject{"phone_number": "+966500000007", "reason": "asked"}).wantStatus(t, 201)

	seen := map[string]bool{}
	for _, c := range []struct {
		name, from, to string
		closed         bool
		refused        string
		scenario       string
		says, caller   string
	}{
		{name: "a number", from: "+966500000007", to: "966112345678", scenario: "visits", says: attends, caller: "+966500000007"},
		{name: "a pattern, withheld", from: "anonymous", to: "00966115551234", scenario: "meals", says: meals},
		{name: "called before", from: known, to: "966112345678", scenario: "meals", says: meals, caller: known},
		{name: "no number of ours", from: "+966500000007", to: "15550001111", refused: "404"},
		{name: "outside calling hours", from: "+966500000008", to: "966112345678", closed: true, scenario: "visits", says: closed, caller: "+966500000008"},
	} {
		if c.closed {
			a.requestAPI(t, http.MethodPut, "/inbound", jsonObject{"routes": routes, "closed": closed}).wantStatus(t, 200)
			a.requestAPI(t, http.MethodPatch, "/organization", jsonObject{"calling_hours": morningHours()}).wantStatus(t, 200)
		}
		caller := sipptest.PlayScenario(t, sipptest.ScenarioSettings{
			Scenario: inboundCaller(t, c.from, c.to, c.refused), Sound: sineTone(4000, personTone), Calls: listen, At: phone.At,
		})
		select {
		case <-caller.ExitedChan():
		case <-time.After(sipptest.Patience):
			t.Fatalf("%s: SIPp waits", c.name)
		}
		caller.EndCalls(t)
		got := newInboundCalls(t, a, seen)
		if c.refused != "" {
			if len(got) != 0 {
				t.Errorf("%s: a refused call is stored: %v", c.name, got)
			}
			told := runMunadi(t, nil, "sip", "refused", "--data", a.Data).stdout
			if !strings.Contains(told, "404: No number of the inbound routes was called. ") || !strings.Contains(told, "+9665•••••07 to +1555•••••11") || !strings.Contains(told, "-> udp ") {
				t.Errorf("munadi sip refused: %s", told)
			}
			continue
		}
		if len(got) != 1 {
			t.Fatalf("%s: %d inbound calls", c.name, len(got))
		}
		in := a.awaitEnded(t, got[0])
		said := spokenByPlatform(in)
		if in.textAt("status") != "completed" || in.textAt("scenario_id") != c.scenario || in.textAt("phone_number") != c.caller ||
			len(said) < 2 || !strings.Contains(said[len(said)-1], c.says) || strings.Contains(said[0], c.says) {
			t.Errorf("%s: it says %q and is %v", c.name, said, in)
		}
		told := hook.awaitNotification(t, got[0])
		if told.textAt("payload", "call_data", "direction") != "inbound" {
			t.Errorf("%s: told as %v", c.name, told)
		}
		checkRecording(t, a, in)
		trace := jsonObject(a.requestAPI(t, http.MethodGet, "/calls/"+got[0]+"/trace", nil).wantStatus(t, 200).successData(t))
		if ladder := trace.listAt("messages"); len(ladder) < 5 || !strings.Contains(fmt.Sprint(ladder[0]), "start_line:INVITE ") {
			t.Errorf("%s: its ladder is %v", c.name, ladder)
		}
		if follows := c.name == "called before"; follows != (in.valueAt("previous_call_id") != nil) ||
			follows && a.fetchCall(t, missed.textAt("next_call_id")).textAt("status") != "cancelled" {
			t.Errorf("%s: it follows up %v", c.name, in.valueAt("previous_call_id"))
		}
	}
}

// newInboundCalls returns the ids of the inbound calls that have not been seen.
func newInboundCalls(t *testing.T, a *testInstance, seen map[string]bool) (fresh []string) {
	t.Helper()
	list := jsonObject(a.requestAPI(t, http.MethodGet, "/calls?direction=inbound", nil).wantStatus(t, 200).jsonBody(t)).listAt("data")
	for _, one := range list {
		if id := jsonObject(one.(map[string]any)).textAt("id"); !seen[id] {
			seen[id] = true
			fresh = append(fresh, id)
		}
	}
	return fresh
}

// spokenByPlatform returns what the platform said in a call.
func spokenByPlatform(c jsonObject) (said []string) {
	for _, one := range c.listAt("enhanced_transcript", "transcript", "messages") {
		if m := jsonObject(one.(map[string]any)); m.textAt("role") == "assistant" {
			said = append(said, m.textAt("content"))
		}
	}
	return said
}
