package console_test

import (
	"net/url"
	"strings"
	"testing"

	"munadi/store/account"
	"munadi/store/replay"
)

// TestReplayPage checks that a replay is started by its form, shows what came out otherwise with a player at the place,
// is paused and resumed, and that another organization's is not found.
func TestReplayPage(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.getPage(account.Operator, "/replays/"+w.replay).wantStatus(200).wantTexts(
		w.over.PersonName(), w.over.PhoneNumber, "\u20682\u2069 → \u20683\u2069", "\u2068Yes\u2069 → \u2068nothing\u2069",
		": \u20682026-12-03\u2069 → \u20682026-12-04\u2069", "/console/calls/"+w.over.ID+"/recording#t=4.25", `data-player="listed"`, "css/console-player.css", "1 / 2")
	w.getPage(account.Operator, "/replays/"+w.replay+"?lang=ar").wantTexts("\u2068نعم\u2069 ← \u2068لا شيء\u2069")
	w.postForm(account.Operator, "/replays/"+w.replay+"/pause", url.Values{}).wantStatus(303)
	state := func(id string) replay.State {
		b, err := w.store.FindReplays(t.Context(), "acme")
		if err != nil || b.FindReplay(id) == nil {
			t.Fatalf("%s: %+v, %v", id, b, err)
		}
		return b.FindReplay(id).State
	}
	if state(w.replay) != replay.Paused {
		t.Error("it is not paused")
	}
	w.postForm(account.Operator, "/replays/"+w.replay+"/resume", url.Values{}).wantStatus(303)
	if state(w.replay) != replay.Running {
		t.Error("it does not run again")
	}
	form := url.Values{"scenario_id": {"restaurant_order"}, "version": {"published"}, "model": {""}, "from": {"30"}}
	made := w.postForm(account.Operator, "/replays", form).wantStatus(303).Header().Get("Location")
	id := strings.TrimPrefix(made, "/console/replays/")
	if b, err := w.store.FindReplays(t.Context(), "acme"); err != nil || b.FindReplay(id) == nil || b.FindReplay(id).Version != 0 {
		t.Errorf("%s: %+v, %v", made, b, err)
	}
	form.Set("model", "unknown")
	w.postForm(account.Operator, "/replays", form).wantStatus(422)
	for _, path := range []string{"", "/delete", "/events"} {
		w.getPage(account.Operator, "/replays/replay_of_others"+path).wantStatus(404)
	}
	w.postForm(account.Operator, "/replays/"+w.replay+"/delete", url.Values{}).wantStatus(303)
	w.getPage(account.Operator, "/replays/"+w.replay).wantStatus(404)
}
