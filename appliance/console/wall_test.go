package console_test

import (
	"context"
	"encoding/json"
	"testing"

	"munadi/appliance/console"
	"munadi/appliance/publisher"
	"munadi/appliance/ssehub"
	"munadi/store/account"
	"munadi/store/call"
)

// TestWall checks that the running calls are shown with their latest turns, that viewers can watch, and that operators
// can listen.
func TestWall(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	d.getPage(account.Viewer, "/calls/wall").wantStatus(200).wantTexts("No calls are running")
	c := d.bookCall("acme", anyNumber, func(c *call.Call) { c.ScheduledAt = d.now })
	waiting := d.bookCall("acme", "+966512345699", nil)
	_, err := d.store.ReleaseCall(t.Context(), "acme", c.ID, d.now)
	d.mustSucceed(err)
	running, err := d.store.AnswerCall(t.Context(), "acme", c.ID, "acme/a.wav", d.now)
	d.mustSucceed(err)
	p := publisher.NewCallPublisher(publisher.Hubs{Events: d.events, Sound: &ssehub.SoundHub{}}, running)
	for _, text := range []string{"السلام عليكم", "هل تؤكد الموعد؟"} {
		p.PublishMessage(call.Message{Role: call.Assistant, Content: text})
	}
	p.PublishMessage(call.Message{Role: call.User, Content: "نعم"})
	d.getPage(account.Viewer, "/calls/wall").wantStatus(200).wantTexts(c.ID, anyNumber, "هل تؤكد الموعد؟", "نعم", "data-since").
		wantNoTexts("السلام عليكم", "/listen", waiting.ID)
	d.getPage(account.Operator, "/calls/wall").wantStatus(200).wantTexts(c.ID + "/listen")
}

// TestWallElsewhere checks that a call on another appliance is shown with its turns from before the page was opened.
func TestWallElsewhere(t *testing.T) {
	t.Parallel()
	d := newCallBench(t, func(deps *console.Dependencies) {
		deps.Calls.LatestEvents = func(
			_ context.Context, topics []ssehub.EventTopic, _ string, _ int,
		) map[ssehub.EventTopic][]json.RawMessage {
			return map[ssehub.EventTopic][]json.RawMessage{
				topics[0]: {json.RawMessage(`{"role":"assistant","content":"هل تؤكد الموعد؟"}`), json.RawMessage(`{`)},
			}
		}
	})
	c := d.bookCall("acme", anyNumber, func(c *call.Call) { c.ScheduledAt = d.now })
	_, err := d.store.ReleaseCall(t.Context(), "acme", c.ID, d.now)
	d.mustSucceed(err)
	d.getPage(account.Viewer, "/calls/wall").wantStatus(200).wantTexts(c.ID, "هل تؤكد الموعد؟")
}
