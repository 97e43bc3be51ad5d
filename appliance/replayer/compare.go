package replayer

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"munadi/appliance/conversation/rehearsal"
	"munadi/store/call"
	"munadi/store/replay"
)

// compareCalls returns what came out otherwise.
func compareCalls(c call.Call, acts []personAct, out rehearsal.Outcome) replay.Result {
	r := replay.Result{
		CallID: c.ID, OldStatus: string(c.Status), NewStatus: string(out.Status), OldTurns: countTurns(c.Messages),
		NewTurns: countTurns(out.Messages),
	}
	said := firstOtherWords(c.Messages, out.Heard)
	before, now := valuesOf(c.Report), valuesOf(out.Report)
	names := maps.Clone(before)
	if names == nil {
		names = map[string]json.RawMessage{}
	}
	maps.Copy(names, now)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if bytes.Equal(before[name], now[name]) {
			continue
		}
		act, known := out.SlotActs[name]
		if !known {
			act = said
		}
		r.Report = append(r.Report, replay.Difference{
			Name: name, Old: string(before[name]), New: string(now[name]), At: timeOf(acts, act),
		})
	}
	if r.Judge(); r.State == replay.Changed {
		r.At = timeOf(acts, said)
		for i, d := range r.Report {
			if i == 0 || d.At < r.At {
				r.At = d.At
			}
		}
	}
	return r
}

// valuesOf returns the properties of a report, each as compact JSON; nil for none.
func valuesOf(report json.RawMessage) (values map[string]json.RawMessage) {
	var compact bytes.Buffer
	if json.Compact(&compact, report) == nil {
		_ = json.Unmarshal(compact.Bytes(), &values) // a report is an object
	}
	return values
}

// countTurns counts the turns of the person.
func countTurns(messages []call.Message) (n int) {
	for _, m := range messages {
		if m.Role == call.User && m.Content != "" {
			n++
		}
	}
	return n
}

// firstOtherWords returns the act at which other words were recognized than in the call; the last one for the same
// words.
func firstOtherWords(messages []call.Message, heard []rehearsal.HeardTurn) int {
	var said []string
	for _, m := range messages {
		if m.Role == call.User && m.Content != "" {
			said = append(said, m.Content)
		}
	}
	last := 0
	for i, h := range heard {
		if last = h.Act; i >= len(said) || said[i] != h.Text {
			return h.Act
		}
	}
	return last
}

// timeOf returns when an act begins in the recording, in seconds; a little before it, to be listened to.
func timeOf(acts []personAct, act int) float64 {
	if len(acts) == 0 {
		return 0
	}
	at := acts[min(max(act, 0), len(acts)-1)].at
	return max(0, at-time.Second).Round(10 * time.Millisecond).Seconds()
}
