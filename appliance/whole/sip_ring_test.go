package whole_test

import (
	"net/http"
	"strings"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sipptest"
)

// TestRingOverSIP tries a draft by a call to an extension behind a real trunk, by the API: what is said there is heard,
// the call is a trial with a recording, and no webhook comes of it. An extension that is busy ends it.
func TestRingOverSIP(t *testing.T) {
	t.Parallel()
	if !runsLongForms() {
		t.Skip("a long form: it takes a minute in real time")
	}
	takeSoundSlot(t)
	_, samples := spokenNumbers(t, carrier.Rate)
	peer := sipptest.PlayScenario(t, sipptest.ScenarioSettings{
		Scenario: numbersScenario(t), Sound: append(make([]int16, 2*carrier.Rate), samples...),
	})
	a := startWithTrunk(t, peer.TrunkAddress())
	receiver := newReceiver(t, nil)
	a.setReceiver(t, receiver)
	step := func(text string, more ...jsonObject) jsonObject {
		return jsonObject{"id": "tried", "name": "tried", "language": "ar", "steps": append(more, jsonObject{"id": "s", "type": "end", "say": text})}
	}
	a.requestAPI(t, http.MethodPost, "/scenarios", step("شكرا لكم تم تأكيد الموعد")).wantStatus(t, 201)
	draft := step("تم إلغاء الموعد", jsonObject{"id": "q", "type": "ask", "say": "أي يوم يناسبكم", "slot": jsonObject{"name": "words", "type": "text"}})
	draft["status"] = "draft"
	a.requestAPI(t, http.MethodPut, "/scenarios/tried", draft).wantStatus(t, 200)

	ring := func(body jsonObject) jsonObject {
		body["extension"] = "sip:2" + body.textAt("extension") + "@pbx.example"
		answer := a.requestAPI(t, http.MethodPost, "/scenarios/tried/ring", body).wantStatus(t, 202).jsonBody(t)
		return a.awaitEnded(t, jsonObject(answer).textAt("data", "id"))
	}
	c := ring(jsonObject{"extension": "01", "draft": true})
	if c.textAt("status") != "completed" || c.valueAt("trial") != true || !strings.HasPrefix(wordsOfPerson(c), "السعر") || c.textAt("report", "words") == "" || c.valueAt("line", "codec") == nil {
		t.Errorf("the draft's trial is %v", c)
	}
	if _, sound := checkPlayable(t, a, c); len(sound) < 4*carrier.Rate {
		t.Errorf("its recording has %d bytes", len(sound))
	}
	c = ring(jsonObject{"extension": "01"})
	if said := c.listAt("enhanced_transcript", "transcript", "messages"); c.valueAt("report", "words") != nil || len(said) == 0 {
		t.Errorf("the published version's trial is %v", c)
	}
	if c = ring(jsonObject{"extension": "96"}); c.textAt("status") == "completed" || c.valueAt("failure", "sip_code") != 486.0 {
		t.Errorf("with a busy extension it is %v", c)
	}
	if n := len(receiver.allNotifications()); n > 0 {
		t.Errorf("%d webhooks of trials", n)
	}
}
