package whole_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/carrier/sip/sipptest"
)

// leavingScenario is the scenario of numbers.xml whose callees take a transfer, report that it is tried, and hang up.
func leavingScenario(t *testing.T) string {
	t.Helper()
	const tried = "SIP/2.0 100 Trying\n\n    ]]>\n  </send>\n  <recv response=\"200\"/>"
	left := strings.Replace(numbersScenario(t), tried, strings.Replace(tried, "/>", ` next="leave"/>`, 1), 1)
	if !strings.Contains(left, `<recv response="200" next="leave"/>`) {
		t.Fatal("the scenario has no transfer")
	}
	return left
}

// refusingScenario is the scenario of numbers.xml whose callees refuse to be transferred.
func refusingScenario(t *testing.T) string {
	t.Helper()
	refusing := strings.NewReplacer(
		`<label id="transfer"/>`+"\n  <send>", `<label id="transfer"/>`+"\n"+`  <send next="talk">`, "202 Accepted", "603 Decline",
	).Replace(numbersScenario(t))
	if !strings.Contains(refusing, `<send next="talk">`) {
		t.Fatal("the scenario has no transfer")
	}
	return refusing
}

// strangeScenario is the scenario of numbers.xml whose callees speak a codec that we did not offer, and whose callee 90
// sends a progress response instead of ringing.
func strangeScenario(t *testing.T) string {
	t.Helper()
	return strings.NewReplacer(
		"RTP/AVP 8 101\n      a=rtpmap:8 PCMA/8000", "RTP/AVP 3\n      a=rtpmap:3 GSM/8000",
		"180 Ringing", "183 Session Progress",
	).Replace(numbersScenario(t))
}

// transferCase is a call that is transferred.
type transferCase struct {
	name, caller string
	step         string // the transfer's fields as JSON
	outcomes     string // of the attempts, in any order
	endedBy      string
	goesOn       bool // to on_failure
}

// begin books the call of a case, which is told something before the transfer.
func (c transferCase) begin(t *testing.T, a *testInstance, name string) (id string) {
	t.Helper()
	const told = "هل تؤكدون الحضور في هذا الموعد"
	step := jsonObject{"id": "staff", "type": "transfer", "on_failure": "busy"}
	mustSucceed(t, json.Unmarshal([]byte(c.step), &step))
	steps := []jsonObject{
		{"id": "told", "type": "say", "say": []string{told, told}},
		step,
		{"id": "busy", "type": "end", "say": "زملاؤنا مشغولون مع السلامة"},
	}
	if step.textAt("on_failure") == "second" {
		steps = append(steps, jsonObject{"id": "second", "type": "transfer", "mode": "attended", "to": "sip:287@pbx.example", "on_failure": "busy"})
	}
	a.requestAPI(t, "POST", "/scenarios", jsonObject{
		"id": name, "name": name, "language": "ar", "answering_machine": "off", "steps": steps,
	}).wantStatus(t, 201)
	return a.bookCall(t, c.caller, name, jsonObject{"retry": jsonObject{"max_attempts": 1}}).textAt("id")
}

// check checks how the call ended, and that its caller never waited in silence.
func (c transferCase) check(t *testing.T, a *testInstance, id string) {
	t.Helper()
	ended := a.awaitEnded(t, id)
	var outcomes []string
	for _, one := range ended.listAt("transfers") {
		tried := jsonObject(one.(map[string]any))
		outcomes = append(outcomes, tried.textAt("outcome")+" by "+tried.textAt("way"))
	}
	slices.Sort(outcomes)
	if got := strings.Join(outcomes, ", "); got != c.outcomes || ended.textAt("ended_by") != c.endedBy {
		t.Errorf("%s: %s, ended by %s: %v", c.name, got, ended.textAt("ended_by"), ended)
	}
	if said := spokenByPlatform(ended); c.goesOn != strings.Contains(strings.Join(said, " "), "مشغولون") {
		t.Errorf("%s: it says %q", c.name, said)
	}
	_, sound := checkPlayable(t, a, ended)
	gap := longestSilence(sound, 1)
	t.Logf("%s: the longest silence that is sent lasts %.2f s", c.name, gap)
	if gap > 2 {
		t.Errorf("%s: what is sent to the caller has a gap of %.2f s", c.name, gap)
	}
}

// TestTransfersOverSIP transfers calls blindly and to several people at once, against telephones that SIPp plays: which
// of two who take a call at the same moment has it, what a caller or a member of staff who hangs up first leaves, what
// is made of an answer that cannot be played and of a telephone that does not ring, and that a trunk which took the
// transfer, and then lost the caller, did not connect them, while one that refuses it is done without. The kill switch
// holds for calls that run, too.
func TestTransfersOverSIP(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("a long form: it takes a minute in real time")
	}
	takeSoundSlot(t)
	play := func(scenario string, echo bool) *sipptest.SIPpPeer {
		return sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: scenario, Sound: sineTone(1000, personTone), Echo: echo})
	}
	patient := strings.Replace(leavingScenario(t), `timeout="2000"`, `timeout="22000"`, 1) // who hangs up by themselves
	callers, staff := play(patient, true), play(pressingScenario(t, "1"), false)
	strange, refusing := play(strangeScenario(t), false), play(refusingScenario(t), true)
	a := startInstance(t, instanceSettings{args: []string{
		"--carrier", "sip", "--sip-from", "966112345678", "--sip-media-ports", "30700-30899", "--sip-trunk", staff.TrunkAddress(),
		"--sip-trunks", `[{"name":"people","trunk":"` + callers.TrunkAddress() + `","prefixes":["+966"]},` +
			`{"name":"strange","trunk":"` + strange.TrunkAddress() + `","prefixes":["+971"]},` +
			`{"name":"refusing","trunk":"` + refusing.TrunkAddress() + `","prefixes":["+973"]}]`,
	}})
	cases := []transferCase{ // those who wait for a hang-up by staff talk meanwhile
		{"two press 1 at once", "+966500001088", `{"mode":"attended","order":"at_once","targets":["sip:287@pbx.example","sip:387@pbx.example"]}`, "cancelled by bridge, transferred by bridge", "operator", false},
		{"two answer at once", "+966500002088", `{"order":"at_once","targets":["sip:201@pbx.example","sip:301@pbx.example"]}`, "cancelled by bridge, transferred by bridge", "operator", false},
		{"one after another", "+966500005088", `{"mode":"attended","targets":["sip:296@pbx.example","+971500000001","sip:287@pbx.example"]}`, "busy by bridge, failed by bridge, transferred by bridge", "operator", false},
		{"the trunk refuses the transfer", "+973500000088", `{"to":"sip:201@pbx.example"}`, "transferred by bridge", "operator", false},
		{"the trunk takes the transfer and loses the caller", "+966500000088", `{"to":"+966112000000"}`, "cancelled by refer", "customer", false},
		{"a codec that was not offered", "+966500003088", `{"mode":"attended","to":"+971500000001"}`, "failed by bridge", "platform", true},
		{"progress, and no more", "+966500004088", `{"mode":"attended","to":"+971500000090"}`, "no_answer by bridge", "platform", true},
		{"the caller hangs up first", "+966500000010", `{"mode":"attended","to":"sip:287@pbx.example"}`, "transferred by bridge", "customer", false},
		{"staff hang up first", "+966500006088", `{"order":"at_once","targets":["sip:210@pbx.example","sip:290@pbx.example"]}`, "cancelled by bridge, transferred by bridge", "platform", false},
	}
	ids := make([]string, len(cases))
	for i, c := range cases {
		ids[i] = c.begin(t, a, fmt.Sprint("move", i))
	}
	for i, c := range slices.Backward(cases) {
		if c.endedBy == "operator" {
			a.requestAPI(t, "POST", "/calls/"+ids[i]+"/hangup", nil).wantStatus(t, 202)
		}
		c.check(t, a, ids[i])
	}
	referred := strings.Count(callers.ReadLog("messages"), "\nREFER ")
	late := transferCase{
		name: "the kill switch during the call", caller: "+966500007088", step: `{"to":"+966112000000","on_failure":"second"}`,
		outcomes: "forbidden by bridge, forbidden by refer", endedBy: "platform", goesOn: true,
	}
	id := late.begin(t, a, "late")
	a.awaitCall(t, id, func(c jsonObject) bool { return c.textAt("status") == "in_progress" })
	a.requestAPI(t, "PATCH", "/organization", jsonObject{"kill_switch": true}).wantStatus(t, 200)
	late.check(t, a, id)
	if n := strings.Count(callers.ReadLog("messages"), "\nREFER "); n != referred {
		t.Errorf("the trunk is asked for %d transfers while the kill switch is on", n-referred)
	}
}
