package whole_test

import (
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"munadi/appliance/carrier/sip/sipptest"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
)

// startWithTrunk starts an appliance with a SIP trunk.
func startWithTrunk(t testing.TB, trunk string, more ...string) *testInstance {
	t.Helper()
	return startInstance(t, instanceSettings{args: append([]string{
		"--carrier", "sip", "--sip-trunk", trunk, "--sip-from", "966112345678", "--sip-media-ports", "30000-30199",
	}, more...)})
}

// startSIPpPeer starts SIPp as a trunk: the last two digits select the callee, as with the simulator. Callees who
// answer repeat that they confirm the appointment, with a short pause.
func startSIPpPeer(t testing.TB) *sipptest.SIPpPeer {
	t.Helper()
	return startSIPpPeerAt(t, netip.AddrPort{})
}

// startSIPpPeerAt starts it in place of a peer that has ended.
func startSIPpPeerAt(t testing.TB, at netip.AddrPort) *sipptest.SIPpPeer {
	t.Helper()
	return startSIPpWith(t, at, confirmation(t))
}

// confirmation is the sound of callees who confirm.
func confirmation(t testing.TB) []int16 {
	t.Helper()
	voice, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	mustSucceed(t, err)
	clip, ok := voice.Clip("callee.yes_confirm")
	if !ok {
		t.Fatal("the recording has no confirmation")
	}
	breath := make([]int16, 3*voicepack.Rate)
	return append(breath, voice.PCM(clip)...)
}

// startSIPpWith is startSIPpPeerAt with other audio of callees who answer.
func startSIPpWith(t testing.TB, at netip.AddrPort, sound []int16) *sipptest.SIPpPeer {
	t.Helper()
	return sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: numbersScenario(t), At: at, Sound: sound})
}

// numbersScenario reads the scenario of SIPp in which the last two digits select the callee.
func numbersScenario(t testing.TB) string {
	t.Helper()
	scenario, err := os.ReadFile(filepath.Join("..", "carrier", "sip", "testdata", "numbers.xml"))
	mustSucceed(t, err)
	return string(scenario)
}

// TestSIPCall makes a call over SIP whose callee says yes; it is transcribed, recorded and reported. The time scale is
// reported as without effect: calls take real time.
func TestSIPCall(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	peer := startSIPpPeer(t)
	a := startWithTrunk(t, peer.TrunkAddress(), "--time-scale", "10")
	_, err := a.log.awaitPattern(regexp.MustCompile(`level=WARN msg="time-scale is ignored`), a.processExited())
	mustSucceed(t, err)
	hook := newReceiver(t, nil)
	a.setReceiver(t, hook)
	booked := time.Now()
	made := a.bookCall(t, "+966500000001", "appointment_confirmation", jsonObject{"variables": jsonObject{"name": "سارة"}})
	told := hook.awaitNotification(t, made.textAt("id"))
	c := a.awaitEnded(t, made.textAt("id"))
	if length, _ := c.valueAt("total_duration").(float64); time.Since(booked).Seconds() < length-1 { // the duration is rounded to seconds
		t.Errorf("a call of %s took %v", formatSeconds(length), time.Since(booked))
	}
	checkComplete(t, told, c)
	checkConversation(t, c)
	checkRecording(t, a, c)
}

// TestSIPRefusals checks that a busy callee and an unreachable trunk are distinguished, with the trunk's status code.
func TestSIPRefusals(t *testing.T) {
	t.Parallel()
	once := jsonObject{"retry": jsonObject{"max_attempts": 1}}
	t.Run("busy", func(t *testing.T) {
		t.Parallel()
		takeSoundSlot(t)
		a := startWithTrunk(t, startSIPpPeer(t).TrunkAddress())
		hook := newReceiver(t, nil)
		a.setReceiver(t, hook)
		id := a.bookCall(t, "+966500000096", "appointment_confirmation", once).textAt("id")
		told := hook.awaitNotification(t, id).objectAt("payload")
		c := a.awaitEnded(t, id)
		for _, o := range []jsonObject{c, told} {
			if o.textAt("status") != "user_rejected" || o.textAt("failure", "reason") != "busy" || o.valueAt("failure", "sip_code") != 486.0 {
				t.Errorf("it is %v (%v)", o.textAt("status"), o.valueAt("failure"))
			}
		}
		if told.textAt("type") != "user_rejected" || c.valueAt("recording_url") != nil || c.valueAt("started_at") != nil {
			t.Errorf("the notification %v of %v", told, c)
		}
	})
	t.Run("hangs up", func(t *testing.T) {
		t.Parallel()
		takeSoundSlot(t)
		a := startWithTrunk(t, startSIPpPeer(t).TrunkAddress())
		id := a.bookCall(t, "+966500000010", "appointment_confirmation", once).textAt("id")
		if c := a.awaitEnded(t, id); c.textAt("status") != "user_rejected" || c.textAt("failure", "reason") != "hung_up_early" {
			t.Errorf("it is %v (%v)", c.textAt("status"), c.valueAt("failure"))
		}
	})
	t.Run("nobody answers", func(t *testing.T) {
		t.Parallel()
		takeSoundSlot(t)
		a := startWithTrunk(t, startSIPpPeer(t).TrunkAddress())
		id := a.bookCall(t, "+966500000090", "appointment_confirmation", once).textAt("id")
		a.awaitCall(t, id, func(c jsonObject) bool { return c.textAt("status") == "dialing" })
		if c := a.awaitEnded(t, id); c.textAt("status") != "no_answer" || c.textAt("failure", "reason") != "ring_timeout" {
			t.Errorf("it is %v (%v)", c.textAt("status"), c.valueAt("failure"))
		}
	})
	t.Run("no trunk", func(t *testing.T) {
		t.Parallel()
		takeSoundSlot(t)
		a := startWithTrunk(t, "sip:127.0.0.1:9") // discard: no answer
		a.tends = append(a.tends, "trunk")
		made := a.bookCall(t, "+966500000001", "appointment_confirmation", once)
		a.awaitCall(t, made.textAt("id"), func(c jsonObject) bool { // it was tried, and waits with its only attempt unused
			return c.textAt("status") == "scheduled" && c.textAt("scheduled_at") > made.textAt("scheduled_at")
		})
	})
}

// TestSIPStop checks that on SIGTERM a connected call may end, and that no line stays open.
func TestSIPStop(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	a := startWithTrunk(t, startSIPpPeer(t).TrunkAddress())
	id := a.bookCall(t, "+966500000001", "appointment_confirmation", nil).textAt("id")
	a.awaitCall(t, id, func(c jsonObject) bool { return c.textAt("status") == "in_progress" })
	a.stopGracefully(t)
}
