package main

import (
	"fmt"
	"maps"
	"testing"
)

// TestJudgeDeadAudio: a call without audio must fail by that reason, be repeated and raise an alert; others are spared.
func TestJudgeDeadAudio(t *testing.T) {
	t.Parallel()
	delivered := map[string]any{"state": "delivered"}
	made := func(number, status, reason, before, next string) jsonObject {
		return jsonObject{
			"phone_number": number, "status": status, "failure": map[string]any{"reason": reason}, "ended_at": "now",
			"previous_call_id": before, "next_call_id": next, "webhook": delivered,
		}
	}
	for name, c := range map[string]struct {
		spoil   func(calls map[string]jsonObject)
		alerted bool
		want    string
		run     deadAudioRun
	}{
		"all is well":    {func(map[string]jsonObject) {}, true, "", deadAudioRun{2, 2, 1, 1, true}},
		"no alert":       {func(map[string]jsonObject) {}, false, "wrong", deadAudioRun{2, 2, 1, 1, false}},
		"completed":      {func(all map[string]jsonObject) { all["a"]["status"] = "completed" }, true, "wrong", deadAudioRun{2, 1, 1, 1, true}},
		"another reason": {func(all map[string]jsonObject) { all["a"] = made("+188", "failed", "x", "", "b") }, true, "wrong", deadAudioRun{2, 1, 1, 1, true}},
		"not repeated":   {func(all map[string]jsonObject) { delete(all, "b") }, true, "lost", deadAudioRun{1, 1, 0, 1, true}},
		"who talks":      {func(all map[string]jsonObject) { all["c"]["status"] = "failed" }, true, "wrong", deadAudioRun{2, 2, 1, 0, true}},
		"not told":       {func(all map[string]jsonObject) { delete(all["a"], "webhook") }, true, "lost", deadAudioRun{2, 2, 1, 1, true}},
	} {
		w := &soakWitness{told: map[string][]receivedWebhook{"a": {{}}, "b": {{}}, "c": {{}}}}
		calls := map[string]jsonObject{
			"a": made("+188", "failed", "no_audio", "", "b"), "b": made("+188", "failed", "no_audio", "a", ""),
			"c": made("+100", "completed", "", "", ""),
		}
		c.spoil(calls)
		if r := w.judgeDeadAudio(calls, c.alerted); *r != c.run || kindsOf(w.faults) != c.want {
			t.Errorf("%s: %+v with %v, want %+v with %q", name, *r, w.faults, c.run, c.want)
		}
	}
}

// TestJudgeRefusedCalls: a refusing trunk costs few calls; all others wait, and are made when it is healed.
func TestJudgeRefusedCalls(t *testing.T) {
	t.Parallel()
	made := func(status string, from, to int) map[string]jsonObject {
		calls := map[string]jsonObject{}
		for n := from; n < to; n++ {
			calls[fmt.Sprint(n)] = jsonObject{"status": status}
		}
		return calls
	}
	joined := func(a, b map[string]jsonObject) map[string]jsonObject {
		maps.Copy(a, b)
		return a
	}
	for name, c := range map[string]struct {
		before, after map[string]jsonObject
		named         bool
		want          string
		run           refusedCalls
	}{
		"all is well":   {joined(made("failed", 0, 5), made("scheduled", 5, 20)), made("completed", 5, 20), true, "", refusedCalls{Lost: 5, Kept: 15, Completed: 15}},
		"too many lost": {joined(made("failed", 0, 6), made("scheduled", 6, 20)), made("completed", 6, 20), true, "lost", refusedCalls{Lost: 6, Kept: 14, Completed: 14}},
		"lost later":    {made("dialing", 0, 20), joined(made("completed", 0, 19), made("failed", 19, 20)), true, "lost", refusedCalls{Kept: 20, Completed: 19}},
		"gone":          {made("scheduled", 0, 20), made("completed", 0, 19), true, "lost", refusedCalls{Kept: 20, Completed: 19}},
		"took place":    {made("completed", 0, 1), made("completed", 0, 1), true, "wrong", refusedCalls{}},
		"not named":     {made("scheduled", 0, 2), made("completed", 0, 2), false, "wrong", refusedCalls{Kept: 2, Completed: 2}},
	} {
		w := &soakWitness{}
		if r := w.judgeRefusedCalls("", c.before, c.after, c.named); *r != c.run || kindsOf(w.faults) != c.want {
			t.Errorf("%s: %+v with %v, want %+v with %q", name, *r, w.faults, c.run, c.want)
		}
	}
}
