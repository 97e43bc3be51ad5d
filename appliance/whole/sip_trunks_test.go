package whole_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestSeveralTrunks: calls go by prefix to the trunk that serves them, past one that is not there, and each call's facts,
// health and doctor name the trunk. A campaign's own number is what the trunk is told.
func TestSeveralTrunks(t *testing.T) {
	t.Parallel()
	saudi, rest := telephones(t), telephones(t)
	a := start(t, settings{args: []string{
		"--carrier", "sip", "--sip-from", "966112345678", "--sip-media-ports", "30200-30399",
		"--sip-trunk", rest.TrunkAddress(),
		"--sip-trunks", `[{"name":"gone","trunk":"sip:127.0.0.1:9"},` + // discard: nobody there
			`{"name":"saudi","trunk":"` + saudi.TrunkAddress() + `","prefixes":["+966"],"lines":3}]`,
	}})
	a.tends = append(a.tends, "trunk")
	once := object{"retry": object{"max_attempts": 1}}
	for number, want := range map[string]string{"+966500000096": "saudi", "+971500000096": "default"} {
		c := a.ended(t, a.book(t, number, "appointment_confirmation", once).text("id"))
		if c.text("failure", "reason") != "busy" || c.text("line", "trunk") != want {
			t.Errorf("%s: %v over %v, want %s", number, c.at("failure"), c.at("line"), want)
		}
	}
	made := a.ask(t, "POST", "/campaigns", object{
		"name": "c", "scenario_id": "appointment_confirmation", "caller_number": "+966920001234",
		"calls": []object{{"phone_number": "+966500000196"}}, "retry": object{"max_attempts": 1},
	}).want(t, 201).data(t)
	var all struct{ Data []object }
	a.ask(t, "GET", "/calls?campaign_id="+made.text("id"), nil).want(t, 200).decode(t, &all)
	a.ended(t, all.Data[0].text("id"))
	shown := regexp.MustCompile(`(?m)^From: .*sip:([^@]+)@`).FindAllStringSubmatch(saudi.ReadLog("messages"), -1)
	if len(shown) == 0 || !strings.Contains(saudi.ReadLog("messages"), "From: <sip:+966920001234@") {
		t.Errorf("the trunk was told %q", shown)
	}
	for began := time.Now(); !strings.Contains(string(a.get(t, "/health").Body), "trunk gone"); time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatalf("health does not name the trunk that is down\n%s", a.log)
		}
	}
}
