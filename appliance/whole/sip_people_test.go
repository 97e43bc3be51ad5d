package whole_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sipptest"
	"munadi/engine/audio"
	"munadi/engine/heldout"
)

// heldOutTelephone starts SIPp as a trunk whose callees repeat a recording with a short pause.
func heldOutTelephone(t testing.TB, samples []float32) *sipptest.SIPpPeer {
	t.Helper()
	scenario, err := os.ReadFile(filepath.Join("..", "carrier", "sip", "testdata", "numbers.xml"))
	mustSucceed(t, err)
	sound := make([]int16, 4*carrier.Rate)
	r := audio.NewResampler(heldout.Rate, carrier.Rate)
	for _, v := range r.Flush(r.Push(nil, samples)) {
		sound = append(sound, int16(max(-1, min(1, v))*32767))
	}
	return sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: string(scenario), Sound: sound})
}

// heldOutCall is a call with one question, and its expected report.
type heldOutCall struct {
	kind, name string
	sound      []float32
	question   jsonObject
	want       any
}

// heldOutCalls are confirmations, digit strings and choices, spoken by people whom the model was not trained with.
func heldOutCalls(t testing.TB) []heldOutCall {
	t.Helper()
	folder := heldout.OpenRecordings(t)
	attends := jsonObject{"id": "q", "type": "ask", "say": "هل تؤكدون الحضور في هذا الموعد", "slot": jsonObject{"name": "ok", "type": "yes_no"}}
	code := jsonObject{"id": "q", "type": "ask", "say": "كم وجبة تريد", "slot": jsonObject{"name": "ok", "type": "number", "digits": 4}}
	way := jsonObject{"id": "q", "type": "ask", "say": "كم وجبة تريد", "slot": jsonObject{"name": "ok", "type": "choice", "choices": []jsonObject{
		{"value": "يمين", "phrases": []string{"يمين"}}, {"value": "يسار", "phrases": []string{"يسار"}},
	}}}
	var calls []heldOutCall
	for _, take := range heldout.WordTakes(t, folder, "yes", "no", "right", "left") {
		c := heldOutCall{"choice", take.Who, take.Samples, way, take.Word}
		if take.Word == "نعم" || take.Word == "لا" {
			c.kind, c.question, c.want = "confirmation", attends, take.Word == "نعم"
		}
		if strings.HasSuffix(take.Who, "/4") {
			calls = append(calls, c)
		}
	}
	values := map[string]float64{
		"صفر": 0, "واحد": 1, "اثنان": 2, "ثلاثة": 3, "أربعة": 4, "خمسة": 5, "ستة": 6, "سبعة": 7, "ثمانية": 8, "تسعة": 9,
	}
	for i, s := range heldout.DigitStrings(heldout.DigitClips(t, folder), 4, 8) {
		want := 0.0
		for _, w := range strings.Fields(s.Word) {
			want = want*10 + values[w]
		}
		calls = append(calls, heldOutCall{"digits", fmt.Sprint(s.Who, i), s.Samples, code, want})
	}
	return calls
}

// TestSIPHeldOutPeople calls recordings of people whom the model was not trained with over SIP with G.711, and counts
// the reports. MUNADI_SPEECH names the recordings; it takes minutes.
func TestSIPHeldOutPeople(t *testing.T) {
	counts := map[string]*[3]int{"confirmation": {}, "digits": {}, "choice": {}} // right, wrong, not known
	for _, c := range heldOutCalls(t) {
		t.Run(c.kind+" "+c.name, func(t *testing.T) {
			a := startWithTrunk(t, heldOutTelephone(t, c.sound).TrunkAddress())
			a.requestAPI(t, http.MethodPost, "/scenarios", jsonObject{
				"id": "held_out", "name": "held out", "language": "ar", "steps": []jsonObject{c.question},
			}).wantStatus(t, 201)
			id := a.bookCall(t, "+966500000001", "held_out", jsonObject{"retry": jsonObject{"max_attempts": 1}}).textAt("id")
			got := a.awaitEnded(t, id).valueAt("report", "ok")
			t.Logf("reported %v, said %v", got, c.want)
			switch got {
			case c.want:
				counts[c.kind][0]++
			case nil:
				counts[c.kind][2]++
			default:
				counts[c.kind][1]++
			}
		})
	}
	for kind, n := range counts {
		t.Logf("%s: %d right, %d wrong, %d not known", kind, n[0], n[1], n[2])
		if n[1] > (n[0]+n[1]+n[2])/3 {
			t.Errorf("%s: more than a third of the calls report what was not said", kind)
		}
	}
}
