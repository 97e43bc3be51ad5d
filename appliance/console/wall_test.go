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

// TestWall: running calls stand side by side with what was said last; viewers read, operators may listen.
func TestWall(t *testing.T) {
	t.Parallel()
	d := newCallDesk(t)
	d.get(account.Viewer, "/calls/wall").want(200).says("No calls are running")
	c := d.booked("acme", anyNumber, func(c *call.Call) { c.ScheduledAt = d.now })
	waiting := d.booked("acme", "+966512345699", nil)
	_, err := d.store.ReleaseCall(t.Context(), "acme", c.ID, d.now)
	d.must(err)
	running, err := d.store.AnswerCall(t.Context(), "acme", c.ID, "acme/a.wav", d.now)
	d.must(err)
	p := publisher.NewCallPublisher(publisher.Hubs{Events: d.events, Sound: &ssehub.SoundHub{}}, running)
	for _, text := range []string{"السلام عليكم", "هل تؤكد الموعد؟"} {
		p.PublishMessage(call.Message{Role: call.Assistant, Content: text})
	}
	p.PublishMessage(call.Message{Role: call.User, Content: "نعم"})
	d.get(account.Viewer, "/calls/wall").want(200).says(c.ID, anyNumber, "هل تؤكد الموعد؟", "نعم", "data-since").
		not("السلام عليكم", "/listen", waiting.ID)
	d.get(account.Operator, "/calls/wall").want(200).says(c.ID + "/listen")
}

// TestWallElsewhere: a call that runs on another appliance shows what was said in it before the page was opened.
func TestWallElsewhere(t *testing.T) {
	t.Parallel()
	d := newCallDesk(t, func(deps *console.Dependencies) {
		deps.LatestEvents = func(
			_ context.Context, topics []ssehub.EventTopic, _ string, _ int,
		) map[ssehub.EventTopic][]json.RawMessage {
			return map[ssehub.EventTopic][]json.RawMessage{
				topics[0]: {json.RawMessage(`{"role":"assistant","content":"هل تؤكد الموعد؟"}`), json.RawMessage(`{`)},
			}
		}
	})
	c := d.booked("acme", anyNumber, func(c *call.Call) { c.ScheduledAt = d.now })
	_, err := d.store.ReleaseCall(t.Context(), "acme", c.ID, d.now)
	d.must(err)
	d.get(account.Viewer, "/calls/wall").want(200).says(c.ID, "هل تؤكد الموعد؟")
}
