package whole_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier/sip/sipptest"
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

// trunkSecret is the password of a trunk that is set in the console.
const trunkSecret = "kestrel-7391-password"

// setTrunk submits the form of a trunk at a path of the console.
func (o *consoleOperator) setTrunk(path, trunk string, status int, more ...string) {
	o.t.Helper()
	o.submitForm(path, status, append([]string{"trunk", trunk, "user", "me", "password", trunkSecret, "lines", "5"}, more...)...)
}

// TestTrunksChangeDuringCalls adds, tests, changes, removes and adds again a trunk in the console while calls go over it.
// Calls stay on the way on which they began, the next one takes the new way; of two people who change the trunk at once
// the second is told; the password is nowhere to be read.
func TestTrunksChangeDuringCalls(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	first := startSIPpPeer(t)
	second := sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: numbersScenario(t), Sound: confirmation(t), TCP: true})
	a := startInstance(t, instanceSettings{
		args: []string{"--carrier", "sip", "--sip-media-ports", "30400-30499"},
		env:  []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + adminPassword},
	})
	a.tends = append(a.tends, "trunk") // there is none at times
	begin := func(n int) string {
		return a.bookCall(t, fmt.Sprintf("+9665000%03d01", n), "appointment_confirmation", jsonObject{"retry": jsonObject{"max_attempts": 1}}).textAt("id")
	}
	reached := func(p *sipptest.SIPpPeer, number string) func(jsonObject) bool {
		return func(c jsonObject) bool { return isUp(c) && strings.Contains(p.ReadLog("messages"), number) }
	}
	inForce := func(p *sipptest.SIPpPeer) {
		t.Helper()
		_, err := a.log.awaitPattern(regexp.MustCompile(`calls go out over a SIP trunk.*`+regexp.QuoteMeta(p.At.String())), a.processExited())
		mustSucceed(t, err)
	}
	o, other := a.signInOperator(t), a.signInOperator(t)
	o.openPage("/console/trunks")
	o.setTrunk("/console/trunks", first.TrunkAddress(), 200, "name", "stc")
	o.submitForm("/console/trunks/stc/test", 200, "phone_number", "+966500000096", "scenario_id", "appointment_confirmation")
	tested := a.awaitEnded(t, strings.TrimPrefix(o.at, "/console/calls/"))
	if page := o.openPage(o.at); tested.textAt("failure", "reason") != "busy" || !strings.Contains(page, "486 Busy Here") {
		t.Errorf("the test call is %v, and its page has no ladder", tested)
	}
	shown := other.openPage("/console/trunks/stc")
	revision := regexp.MustCompile(`name="revision" value="([^"]+)"`).FindStringSubmatch(shown)[1]
	one := begin(1)
	a.awaitCall(t, one, reached(first, "+966500000101"))
	o.setTrunk("/console/trunks/stc", second.TrunkAddress(), 200, "revision", revision)
	other.setTrunk("/console/trunks/stc", "sip:192.0.2.1", 409, "revision", revision)
	inForce(second)
	two := begin(2)
	a.awaitCall(t, two, reached(second, "+966500000201"))
	o.submitForm("/console/trunks/stc/delete", 200)
	three := begin(3)
	for began := time.Now(); !strings.Contains(string(a.getPath(t, "/health").Body), "no SIP trunk is set"); time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatalf("health does not say that there is no trunk\n%s", a.log.lastLines())
		}
	}
	for _, id := range []string{one, two} {
		if c := a.fetchCall(t, id); !isUp(c) && c.textAt("status") != "completed" {
			t.Errorf("a call whose trunk was removed is %v", c)
		}
	}
	o.openPage("/console/trunks")
	o.setTrunk("/console/trunks", first.TrunkAddress(), 200, "name", "stc")
	for _, id := range []string{one, two, three} {
		c := a.awaitEnded(t, id)
		if c.textAt("failure", "reason") != "" || c.textAt("started_at") == "" || c.textAt("line", "trunk") != "stc" {
			t.Errorf("%v: %v over %v", c.textAt("status"), c.valueAt("failure"), c.valueAt("line"))
		}
	}
	printed := runMunadi(t, nil, "sip", "trace", one, "--data", a.Data)
	if printed.code != 0 || !strings.Contains(printed.stdout, "INVITE sip:") || !strings.Contains(printed.stdout, "+9665•••••01") {
		t.Errorf("the trace is %+v", printed)
	}
	trace := string(a.requestAPI(t, "GET", "/calls/"+one+"/trace", nil).wantStatus(t, 200).Body)
	for where, text := range map[string]string{
		"log": a.log.String(), "trace": trace, "printed trace": printed.stdout, "page": o.openPage("/console/trunks/stc"), "audit log": o.openPage("/console/audit"),
	} {
		if strings.Contains(text, trunkSecret) {
			t.Errorf("the password is in the %s", where)
		}
	}
}
