package whole_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"munadi/appliance/carrier/sip/sipptest"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
)

// trunked starts an appliance that calls over SIP.
func trunked(t testing.TB, trunk string, more ...string) *instance {
	t.Helper()
	return start(t, settings{args: append([]string{
		"--carrier", "sip", "--sip-trunk", trunk, "--sip-from", "966112345678", "--sip-media-ports", "30000-30199",
	}, more...)})
}

// telephones is SIPp as a trunk: who is called is chosen by the last two digits, as with the simulator. Those who answer
// say again and again, after a breath, that they confirm the appointment.
func telephones(t testing.TB) *sipptest.SIPpPeer {
	t.Helper()
	scenario, err := os.ReadFile(filepath.Join("..", "carrier", "sip", "testdata", "numbers.xml"))
	must(t, err)
	voice, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	must(t, err)
	clip, ok := voice.Clip("callee.yes_confirm")
	if !ok {
		t.Fatal("nobody confirms")
	}
	breath := make([]int16, 3*voicepack.Rate)
	return sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: string(scenario), Sound: append(breath, voice.PCM(clip)...)})
}

// TestSIPCall: a stranger's telephone is called over SIP and says yes; it is heard, recorded and reported. A time-scale is
// said not to count: the call takes what it takes by the clock.
func TestSIPCall(t *testing.T) {
	t.Parallel()
	peer := telephones(t)
	a := trunked(t, peer.TrunkAddress(), "--time-scale", "10")
	_, err := a.log.await(regexp.MustCompile(`level=WARN msg="time-scale is ignored`), a.exited())
	must(t, err)
	hook := newReceiver(t, nil)
	a.listen(t, hook)
	booked := time.Now()
	made := a.book(t, "+966500000001", "appointment_confirmation", object{"variables": object{"name": "سارة"}})
	told := hook.await(t, made.text("id"))
	c := a.ended(t, made.text("id"))
	if length, _ := c.at("total_duration").(float64); time.Since(booked).Seconds() < length-1 { // it is rounded to seconds
		t.Errorf("a call of %s took %v", seconds(length), time.Since(booked))
	}
	checkComplete(t, told, c)
	checkConversation(t, c)
	checkRecording(t, a, c)
}

// TestSIPRefusals: a busy line and a trunk that is not there are told apart, with the trunk's own code.
func TestSIPRefusals(t *testing.T) {
	t.Parallel()
	once := object{"retry": object{"max_attempts": 1}}
	t.Run("busy", func(t *testing.T) {
		t.Parallel()
		a := trunked(t, telephones(t).TrunkAddress())
		hook := newReceiver(t, nil)
		a.listen(t, hook)
		id := a.book(t, "+966500000096", "appointment_confirmation", once).text("id")
		told := hook.await(t, id).object("payload")
		c := a.ended(t, id)
		for _, o := range []object{c, told} {
			if o.text("status") != "user_rejected" || o.text("failure", "reason") != "busy" || o.at("failure", "sip_code") != 486.0 {
				t.Errorf("it is %v (%v)", o.text("status"), o.at("failure"))
			}
		}
		if told.text("type") != "user_rejected" || c.at("recording_url") != nil || c.at("started_at") != nil {
			t.Errorf("the notification %v of %v", told, c)
		}
	})
	t.Run("hangs up", func(t *testing.T) {
		t.Parallel()
		a := trunked(t, telephones(t).TrunkAddress())
		id := a.book(t, "+966500000010", "appointment_confirmation", once).text("id")
		if c := a.ended(t, id); c.text("status") != "user_rejected" || c.text("failure", "reason") != "hung_up_early" {
			t.Errorf("it is %v (%v)", c.text("status"), c.at("failure"))
		}
	})
	t.Run("nobody answers", func(t *testing.T) {
		t.Parallel()
		a := trunked(t, telephones(t).TrunkAddress())
		id := a.book(t, "+966500000090", "appointment_confirmation", once).text("id")
		a.until(t, id, func(c object) bool { return c.text("status") == "dialing" })
		if c := a.ended(t, id); c.text("status") != "no_answer" || c.text("failure", "reason") != "ring_timeout" {
			t.Errorf("it is %v (%v)", c.text("status"), c.at("failure"))
		}
	})
	t.Run("no trunk", func(t *testing.T) {
		t.Parallel()
		a := trunked(t, "sip:127.0.0.1:9") // discard: nobody there
		a.tends = append(a.tends, "trunk")
		made := a.book(t, "+966500000001", "appointment_confirmation", once)
		a.until(t, made.text("id"), func(c object) bool { // it was tried, and waits without having lost its only attempt
			return c.text("status") == "scheduled" && c.text("scheduled_at") > made.text("scheduled_at")
		})
	})
}

// TestSIPStop: when the appliance is told to stop, a call that is up may end, and nobody is left in it.
func TestSIPStop(t *testing.T) {
	t.Parallel()
	a := trunked(t, telephones(t).TrunkAddress())
	id := a.book(t, "+966500000001", "appointment_confirmation", nil).text("id")
	a.until(t, id, func(c object) bool { return c.text("status") == "in_progress" })
	began := time.Now()
	a.stop(t)
	if took := time.Since(began); took > patience {
		t.Errorf("it took %v", took)
	}
}
