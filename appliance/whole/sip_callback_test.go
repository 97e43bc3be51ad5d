package whole_test

import (
	endian "encoding/binary"
	"math"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier/sip/sipptest"
	"munadi/appliance/demo/browsertest"
)

// personTone is the pitch of what the person says, in Hz.
const personTone = 700

// startCallBackPeers starts an appliance with two trunks: people play a tone, extensions send back what they hear.
func startCallBackPeers(t *testing.T) *testInstance {
	t.Helper()
	person := sipptest.PlayScenario(t, sipptest.ScenarioSettings{
		Scenario: numbersScenario(t), Sound: sineTone(4000, personTone),
	})
	extension := sipptest.PlayScenario(t, sipptest.ScenarioSettings{
		Scenario: numbersScenario(t), Echo: true, Sound: sineTone(1000, 440),
	})
	return startInstance(t, instanceSettings{
		args: []string{
			"--carrier", "sip", "--sip-from", "966112345678", "--sip-media-ports", "30400-30499",
			"--sip-trunk", extension.TrunkAddress(),
			"--sip-trunks", `[{"name":"people","trunk":"` + person.TrunkAddress() + `","prefixes":["+966"]}]`,
		},
		env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword},
	})
}

// toneWindow is the length of the pieces in which a tone is looked for, in seconds.
const toneWindow = 0.1

// toneWindows returns for each side of a stereo recording, left and right, in which windows it is a tone: most of its
// power is at this pitch (Goertzel).
func toneWindows(sound []byte, hz float64) (sides [2][]bool) {
	rate := float64(endian.LittleEndian.Uint32(sound[24:]))
	size := 4 * int(rate*toneWindow)
	coefficient := 2 * math.Cos(2*math.Pi*hz/rate)
	for sound = sound[44:]; len(sound) >= size; sound = sound[size:] {
		for side := range sides {
			var power, one, two float64
			for i := 2 * side; i < size; i += 4 {
				v := float64(int16(endian.LittleEndian.Uint16(sound[i:])))
				power, one, two = power+v*v, v+coefficient*one-two, one
			}
			at := 2 * (one*one + two*two - coefficient*one*two) / float64(size/4)
			sides[side] = append(sides[side], at > power/2 && power/float64(size/4) > 100*100)
		}
	}
	return sides
}

// toneInRecording returns how many seconds of each side of a stereo recording are a tone.
func toneInRecording(sound []byte, hz float64) (left, right float64) {
	sides, seconds := toneWindows(sound, hz), [2]float64{}
	for side, windows := range sides {
		for _, is := range windows {
			if is {
				seconds[side] += toneWindow
			}
		}
	}
	return seconds[0], seconds[1]
}

// TestCallBackOverSIP follows the button of the queue and of a call's page with two telephones: the extension is rung
// first, then the person, and each hears the other. An extension that is busy or does not answer is named as the reason
// and uses up none of the person's attempts a day; one that the person was called by does.
func TestCallBackOverSIP(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("a long form: it takes a minute in real time")
	}
	takeSoundSlot(t)
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	a := startCallBackPeers(t)
	number := simulatedNumber("01")
	id := a.bookCall(t, number, "appointment_confirmation", jsonObject{
		"scheduled_at": timeFromNow(48 * time.Hour),
	}).textAt("id")
	a.requestAPI(t, "POST", "/calls/"+id+"/needs_person", jsonObject{"text": "asks for a new time"}).wantStatus(t, 200)
	a.requestAPI(t, "PATCH", "/organization", jsonObject{"attempts_per_day": 1}).wantStatus(t, 200)
	p := signedIn(t, b, a, "/console/account")
	setExtension := func(to string) {
		p.NavigateTo(a.URL + "/console/account")
		p.RunScript(`document.querySelector("input[name=extension]").value = ""`)
		p.TypeText("input[name=extension]", to)
		p.ClickElement("form[action='/console/account/extension'] button[type=submit]")
		p.WaitText("main", "The extension is saved.")
	}
	begin := func(page string) (callID string) {
		p.NavigateTo(a.URL + page)
		p.ClickElement("form[action$='/call_back'] button")
		p.WaitText("main", "Your extension rings now")
		return browsertest.EvalExpression[string](p, `location.pathname.split("/").pop()`)
	}

	setExtension("sip:296@pbx.example") // is busy
	c := a.awaitEnded(t, begin("/console/queue"))
	if c.textAt("status") != "cancelled" || c.textAt("failure", "reason") != "staff_unreached" || c.valueAt("failure", "sip_code") != 486.0 ||
		c.textAt("staff") != "sip:296@pbx.example" || c.valueAt("started_at") != nil {
		t.Errorf("with a busy extension it is %v", c)
	}
	p.WaitText("main", "The extension did not answer")
	setExtension("sip:290@pbx.example") // rings, and is never answered
	if c = a.awaitEnded(t, begin("/console/calls/"+c.textAt("id"))); c.textAt("failure", "reason") != "staff_unreached" {
		t.Errorf("with an extension that is not answered it is %v", c)
	}
	setExtension("sip:288@pbx.example") // sends back what it hears
	back := begin("/console/calls/" + c.textAt("id"))
	a.awaitCall(t, back, func(c jsonObject) bool { return c.textAt("status") == "in_progress" })
	p.WaitText("main", "Call-back by staff")
	time.Sleep(5 * time.Second) // of talk
	a.requestAPI(t, "POST", "/calls/"+back+"/hangup", nil).wantStatus(t, 202)
	c = a.awaitEnded(t, back)
	taken, _ := c.valueAt("transfers").([]any)
	if c.textAt("status") != "completed" || c.textAt("ended_by") != "operator" || c.textAt("line", "trunk") != "people" || len(taken) != 1 {
		t.Errorf("it is %v, transfers %v", c, taken)
	}
	_, sound := checkPlayable(t, a, c)
	if says, hears := toneInRecording(sound, personTone); says < 2 || hears < 1 {
		t.Errorf("the person's tone is %.1f s of what they say and %.1f s of what the extension sends back", says, hears)
	}
	again := a.requestAPI(t, "POST", "/calls/"+id+"/call_back", jsonObject{"extension": "sip:288@pbx.example"})
	if refused := string(again.wantStatus(t, 409).Body); !strings.Contains(refused, "as often as the dialling rules allow") {
		t.Errorf("a second call to the person on the same day is refused with %s", refused)
	}
	p.NavigateTo(a.URL + "/console/reports")
	p.WaitText("main", "Call-back by staff")
	if next := a.fetchCall(t, id); next.textAt("status") != "scheduled" {
		t.Errorf("the person's own call is %v", next)
	}
}
