package whole_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestSeveralTrunks checks that calls are routed by prefix to a trunk that is reachable, and that the call, health and
// doctor name the trunk. A campaign's caller number is sent to the trunk.
func TestSeveralTrunks(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	saudi, rest := startSIPpPeer(t), startSIPpPeer(t)
	a := startInstance(t, instanceSettings{args: []string{
		"--carrier", "sip", "--sip-from", "966112345678", "--sip-media-ports", "30200-30399",
		"--sip-trunk", rest.TrunkAddress(),
		"--sip-trunks", `[{"name":"gone","trunk":"sip:127.0.0.1:9"},` + // discard: no answer
			`{"name":"saudi","trunk":"` + saudi.TrunkAddress() + `","prefixes":["+966"],"lines":3}]`,
	}})
	a.tends = append(a.tends, "trunk")
	once := jsonObject{"retry": jsonObject{"max_attempts": 1}}
	for number, want := range map[string]string{"+966500000096": "saudi", "+971500000096": "default"} {
		c := a.awaitEnded(t, a.bookCall(t, number, "appointment_confirmation", once).textAt("id"))
		if c.textAt("failure", "reason") != "busy" || c.textAt("line", "trunk") != want {
			t.Errorf("%s: %v over %v, want %s", number, c.valueAt("failure"), c.valueAt("line"), want)
		}
	}
	made := a.requestAPI(t, "POST", "/campaigns", jsonObject{
		"name": "c", "scenario_id": "appointment_confirmation", "caller_number": "+966920001234",
		"calls": []jsonObject{{"phone_number": "+966500000196"}}, "retry": jsonObject{"max_attempts": 1},
	}).wantStatus(t, 201).successData(t)
	var all struct{ Data []jsonObject }
	a.requestAPI(t, "GET", "/calls?campaign_id="+made.textAt("id"), nil).wantStatus(t, 200).decodeJSON(t, &all)
	a.awaitEnded(t, all.Data[0].textAt("id"))
	shown := regexp.MustCompile(`(?m)^From: .*sip:([^@]+)@`).FindAllStringSubmatch(saudi.ReadLog("messages"), -1)
	if len(shown) == 0 || !strings.Contains(saudi.ReadLog("messages"), "From: <sip:+966920001234@") {
		t.Errorf("the trunk was told %q", shown)
	}
	for began := time.Now(); !strings.Contains(string(a.getPath(t, "/health").Body), "trunk gone"); time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatalf("health does not name the trunk that is down\n%s", a.log)
		}
	}
}
