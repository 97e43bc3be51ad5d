package whole_test

import (
	"math"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier/dtmf"
	"munadi/appliance/carrier/sip/sipptest"
	"munadi/store/postgres/postgrestest"
)

// TestSIPNoAudio checks that an answered call whose trunk sends no audio, or stops to, ends as failed with reason no_audio
// and its recording, that it is retried as planned, and that an alert names the trunk; with both databases.
func TestSIPNoAudio(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		t.Run(map[bool]string{false: "badger", true: "postgres"}[shared], func(t *testing.T) {
			t.Parallel()
			takeSoundSlot(t)
			var more []string
			if shared {
				server := postgrestest.OpenServer(t, true)
				more = []string{"--store", server.URL("")}
			}
			a := startWithTrunk(t, startSIPpPeer(t).TrunkAddress(), more...)
			hook := newReceiver(t, nil)
			a.setReceiver(t, hook)
			a.requestAPI(t, "PUT", "/webhook", jsonObject{"url": hook.URL, "alerts": true}).wantStatus(t, 200)
			least := map[string]float64{"88": 5, "89": 14} // the audio of 89 takes 4 s or more
			ids := map[string]string{}
			for ending := range least {
				ids[ending] = a.bookCall(t, simulatedNumber(ending), "appointment_confirmation",
					jsonObject{"retry": jsonObject{"max_attempts": 2, "delay_minutes": []int{60}}}).textAt("id")
			}
			for ending, id := range ids {
				told, c := hook.awaitNotification(t, id).objectAt("payload"), a.awaitEnded(t, id)
				for _, o := range []jsonObject{c, told} {
					if o.textAt("status") != "failed" || o.textAt("failure", "reason") != "no_audio" || o.textAt("next_call_id") == "" {
						t.Errorf("%s is %v (%v), next %v", ending, o.textAt("status"), o.valueAt("failure"), o.valueAt("next_call_id"))
					}
				}
				if told.textAt("type") != "failed" || c.textAt("ended_by") != "carrier" || c.textAt("started_at") == "" {
					t.Errorf("%s: told as %v, %v", ending, told, c)
				}
				if length, _ := c.valueAt("total_duration").(float64); length < least[ending] || length > least[ending]+20 {
					t.Errorf("%s lasted %v s", ending, length)
				}
				checkPlayable(t, a, c)
			}
			isAlert := func(body string) bool {
				return strings.Contains(body, `"kind":"no_audio"`) && strings.Contains(body, `"subject":"default"`)
			}
			for began := time.Now(); !hook.hasBody(isAlert); time.Sleep(100 * time.Millisecond) {
				if time.Since(began) > patience {
					t.Fatal("no alert names the trunk")
				}
			}
			if _, metrics := a.probePath(t.Context(), "/metrics"); !strings.Contains(metrics, "munadi_sip_no_audio_calls 2") {
				t.Error("the metrics don't count the calls")
			}
		})
	}
}

// TestSIPLineTones checks that line tones of an answered call end it as automation, long before a silent callee would, also in a
// scenario that only notes machines.
func TestSIPLineTones(t *testing.T) {
	t.Parallel()
	pause := make([]int16, 8*250)
	for reason, sound := range map[string][]int16{
		"busy_tone":        slices.Concat(sineTone(500, 480, 620), pause, pause),
		"congestion_tone":  slices.Concat(sineTone(250, 425), pause),
		"information_tone": slices.Concat(sineTone(330, 950), sineTone(330, 1400), sineTone(330, 1800), pause),
		"fax":              slices.Concat(pause, sineTone(3000, 2100)),
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			takeSoundSlot(t)
			a := startWithTrunk(t, startSIPpWith(t, netip.AddrPort{}, sound).TrunkAddress())
			a.requestAPI(t, "POST", "/scenarios", jsonObject{
				"id": "noted", "name": "noted", "language": "ar", "answering_machine": "detect", "steps": []jsonObject{{
					"id": "ask", "type": "ask", "say": "هل تؤكدون الحضور؟", "slot": jsonObject{"name": "ok", "type": "yes_no"},
				}},
			}).wantStatus(t, 201)
			id := a.bookCall(t, simulatedNumber("01"), "noted", jsonObject{"retry": jsonObject{"max_attempts": 1}}).textAt("id")
			c := a.awaitEnded(t, id)
			length, _ := c.valueAt("total_duration").(float64)
			if c.textAt("status") != "automation" || c.textAt("failure", "reason") != reason || length > 15 {
				t.Errorf("it is %v (%v) after %v s, %v", c.textAt("status"), c.valueAt("failure"), length, c.valueAt("machine"))
			}
		})
	}
}

// sineTone returns a tone of these pitches.
func sineTone(ms int, hz ...float64) []int16 {
	out := make([]int16, 8*ms)
	for i := range out {
		for _, f := range hz {
			out[i] += int16(4000 * math.Sin(2*math.Pi*f*float64(i)/8000))
		}
	}
	return out
}

// hasBody reports whether a body that came satisfies a condition.
func (r *webhookReceiver) hasBody(wanted func(body string) bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.bodies, wanted)
}

// TestSIPKeysInBand checks that a key that a callee without telephone-event presses is heard in the sound and answers
// the question.
func TestSIPKeysInBand(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	plain := strings.NewReplacer("RTP/AVP 8 101", "RTP/AVP 8", "a=rtpmap:101 telephone-event/8000", "a=ptime:20", "a=fmtp:101 0-15", "a=sendrecv")
	peer := sipptest.PlayScenario(t, sipptest.ScenarioSettings{
		Scenario: plain.Replace(numbersScenario(t)), Sound: append(make([]int16, 3*8000), dtmf.MakeTone('3', 800)...),
	})
	a := startWithTrunk(t, peer.TrunkAddress())
	a.requestAPI(t, "POST", "/scenarios", jsonObject{
		"id": "keys", "name": "keys", "language": "ar", "answering_machine": "off", "steps": []jsonObject{
			{"id": "size", "type": "ask", "say": "ما الحجم المطلوب", "slot": jsonObject{"name": "size", "type": "choice", "choices": []jsonObject{
				{"value": "small", "phrases": []string{"صغير"}}, {"value": "medium", "phrases": []string{"وسط"}}, {"value": "large", "phrases": []string{"كبير"}},
			}}},
			{"id": "bye", "type": "end", "say": "شكرا مع السلامة"},
		},
	}).wantStatus(t, 201)
	c := a.awaitEnded(t, a.bookCall(t, "+966500000001", "keys", nil).textAt("id"))
	pressed := slices.ContainsFunc(c.listAt("enhanced_transcript", "transcript", "messages"), func(m any) bool {
		return jsonObject(m.(map[string]any)).textAt("role") == "user" && jsonObject(m.(map[string]any)).textAt("content") == "3"
	})
	if c.textAt("status") != "completed" || c.textAt("report", "size") != "large" || !pressed {
		t.Errorf("the call is %v", c)
	}
}
