package whole_test

import (
	endian "encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier/sip/sipptest"
)

// pressingScenario is the scenario of numbers.xml whose callee 87 presses a key by INFO 3 s after the answer, and then
// talks.
func pressingScenario(t *testing.T, key string) string {
	t.Helper()
	return strings.NewReplacer(
		"Signal=5", "Signal="+key,
		`<label id="inform"/>`, `<label id="inform"/><pause milliseconds="3000"/>`,
		`<recv response="200" next="talk"/>`,
		`<recv response="200" next="talk"><action><exec rtp_stream="talk.al,-1,8"/></action></recv>`,
	).Replace(numbersScenario(t))
}

// longestSilence returns the longest silence between two sounds of a side of a stereo recording, in seconds.
func longestSilence(sound []byte, side int) (longest float64) {
	frame := int(endian.LittleEndian.Uint32(sound[24:])) / 50 * 4
	silent, heard := 0, false
	for sound = sound[44:]; len(sound) >= frame; sound = sound[frame:] {
		loud := false
		for i := 2 * side; i < frame; i += 4 {
			v := int16(endian.LittleEndian.Uint16(sound[i:]))
			loud = loud || v > 100 || v < -100
		}
		if !loud {
			silent++
			continue
		}
		if heard {
			longest = max(longest, float64(silent)/50)
		}
		silent, heard = 0, true
	}
	return longest
}

// TestAttendedTransferOverSIP transfers calls to a second telephone that is announced who calls: it takes the call or
// refuses it by a key, is busy, does not answer, or hangs up during the announcement; or the caller hangs up meanwhile.
// What the caller hears is sent back by their telephone: there is no gap in it of more than two seconds.
func TestAttendedTransferOverSIP(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("a long form: it takes a minute in real time")
	}
	takeSoundSlot(t)
	play := func(s sipptest.ScenarioSettings) *sipptest.SIPpPeer {
		s.Sound = sineTone(1000, personTone)
		return sipptest.PlayScenario(t, s)
	}
	patient := strings.Replace(numbersScenario(t), `timeout="2000"`, `timeout="15000"`, 1) // who hangs up by themselves
	callers := play(sipptest.ScenarioSettings{Scenario: patient, Echo: true})
	takes := play(sipptest.ScenarioSettings{Scenario: pressingScenario(t, "1")})
	refuses := play(sipptest.ScenarioSettings{Scenario: pressingScenario(t, "2")})
	a := startInstance(t, instanceSettings{args: []string{
		"--carrier", "sip", "--sip-from", "966112345678", "--sip-media-ports", "30500-30699", "--sip-trunk", takes.TrunkAddress(),
		"--sip-trunks", `[{"name":"people","trunk":"` + callers.TrunkAddress() + `","prefixes":["+966"]},` +
			`{"name":"refusing","trunk":"` + refuses.TrunkAddress() + `","prefixes":["+971"]}]`,
	}})
	begin := func(i int, caller, to string) (id string) {
		name := fmt.Sprint("transfer", i)
		a.requestAPI(t, "POST", "/scenarios", jsonObject{
			"id": name, "name": name, "language": "ar", "answering_machine": "off", "steps": []jsonObject{
				{"id": "staff", "type": "transfer", "mode": "attended", "announce": "معي عميل", "to": to, "on_failure": "busy"},
				{"id": "busy", "type": "end", "say": "زملاؤنا مشغولون مع السلامة"},
			},
		}).wantStatus(t, 201)
		return a.bookCall(t, fmt.Sprintf("+9665000%03d%s", i, caller), name, jsonObject{"retry": jsonObject{"max_attempts": 1}}).textAt("id")
	}
	cases := []struct{ name, caller, to, outcome string }{
		{"takes", "88", "sip:287@pbx.example", "transferred"},
		{"refuses", "88", "+971500000087", "refused"},
		{"is busy", "88", "sip:296@pbx.example", "busy"},
		{"does not answer", "88", "sip:290@pbx.example", "no_answer"},
		{"hangs up in the announcement", "88", "sip:210@pbx.example", "refused"},
		{"the caller hangs up", "10", "sip:290@pbx.example", "cancelled"},
	}
	ids := make([]string, len(cases))
	for i, c := range cases {
		ids[i] = begin(i, c.caller, c.to)
	}
	for began := time.Now(); !strings.Contains(takes.ReadLog("messages"), "INFO sip:"); time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatal("the key is not pressed")
		}
	}
	time.Sleep(4 * time.Second) // of talk
	a.requestAPI(t, "POST", "/calls/"+ids[0]+"/hangup", nil).wantStatus(t, 202)
	for i, want := range cases {
		c := a.awaitEnded(t, ids[i])
		tried, _ := c.valueAt("transfers").([]any)
		if len(tried) != 1 || jsonObject(tried[0].(map[string]any)).textAt("outcome") != want.outcome {
			t.Errorf("%s: the transfers are %v, want %s: %v", want.name, tried, want.outcome, c)
			continue
		}
		if failed := strings.Contains(fmt.Sprint(c), "transfer_failed"); failed != (i > 0 && i < 5) {
			t.Errorf("%s: transfer_failed is %v: %v", want.name, failed, c)
		}
		if want.caller == "10" {
			if c.textAt("ended_by") != "customer" {
				t.Errorf("%s: ended by %v", want.name, c.valueAt("ended_by"))
			}
			continue
		}
		_, sound := checkPlayable(t, a, c)
		if gap := longestSilence(sound, 1); gap > 2 {
			t.Errorf("%s: what is sent to the caller has a gap of %.2f s", want.name, gap)
		}
		t.Logf("%s: gaps of %.2f s sent, %.2f s heard at the far end", want.name, longestSilence(sound, 1), longestSilence(sound, 0))
		if talked, _ := toneInRecording(sound, personTone); i == 0 && talked < 1 {
			t.Errorf("the caller hears the member of staff for %.1f s", talked)
		}
	}
}
