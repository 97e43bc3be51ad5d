package replayer

import (
	"reflect"
	"testing"
	"time"

	"munadi/appliance/conversation/rehearsal"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/replay"
)

// recordedCall is a call with its person's sound: a greeting, a word that did not stop the platform, an answer, keys, a
// silence after which the platform asked again, and a hang-up during the last line.
func recordedCall() (call.Call, []int16) {
	said := func(role call.SpeakerRole, text string, start, end, confidence float64) call.Message {
		return call.Message{Role: role, Content: text, Start: start, End: end, Confidence: confidence}
	}
	c := call.Call{
		ID: "call_1", Status: call.Completed, EndedBy: call.ByCustomer, Report: []byte(`{"ok":true,"n":2,"day":null}`),
		Messages: []call.Message{
			said(call.User, "الو", 0.5, 1, 0.9),
			said(call.Assistant, "السلام عليكم", 2, 3, 1), said(call.Assistant, "أيناسبكم الموعد", 3.2, 6, 1), said(call.User, "نعم", 7, 7.5, 0.9),
			said(call.Assistant, "كم", 8, 9, 1), said(call.User, "2", 10, 10, 1),
			said(call.Assistant, "أي يوم", 11, 12, 1), said(call.Assistant, "لم أسمعكم", 17, 18, 1), said(call.Assistant, "شكرا لكم", 23, 26, 1),
		},
		Errors: []call.CallError{{Code: "no_input", At: 16.9}},
	}
	sound := make([]int16, 24*blob.Rate)
	for _, s := range []span{{500, 1000}, {4000, 4400}, {7000, 7500}} { // the second was not recognized
		for i := indexAt(s.from * time.Millisecond); i < indexAt(s.to*time.Millisecond); i++ {
			sound[i] = int16(4000 - 8000*(i%2))
		}
	}
	return c, sound
}

// TestActsOfACall checks what the person did, and when it is done again.
func TestActsOfACall(t *testing.T) {
	t.Parallel()
	acts := listActs(recordedCall())
	want := []struct {
		answer string
		sound  bool
		into   time.Duration
		fresh  bool
		at     time.Duration
	}{
		{"", true, 300 * time.Millisecond, false, 500 * time.Millisecond},
		{"", true, 1800 * time.Millisecond, true, 4 * time.Second},
		{"", true, 0, false, 7 * time.Second},
		{"keys:2", false, 0, true, 10 * time.Second},
		{rehearsal.Silent, false, 0, false, 12 * time.Second},
		{rehearsal.HangUp, false, time.Second, true, 24 * time.Second},
	}
	if len(acts) != len(want) {
		t.Fatalf("%d acts: %+v", len(acts), acts)
	}
	for i, w := range want {
		a := acts[i]
		if a.Answer != w.answer || (a.Sound != nil) != w.sound || a.Into != w.into || a.Fresh != w.fresh || a.at != w.at {
			t.Errorf("act %d: %q, %d samples, into %v, fresh %v, at %v", i, a.Answer, len(a.Sound), a.Into, a.Fresh, a.at)
		}
	}
	c, sound := recordedCall()
	c.Messages[3].Start, c.Messages[3].End = 6.98, 7.6 // its end is no louder than the line
	if a := listActs(c, sound)[2]; lengthOf(a.Sound) != 1120*time.Millisecond {
		t.Errorf("a turn with a soft end has a sound of %v", lengthOf(a.Sound))
	}
	if got := listActs(call.Call{}, nil); len(got) != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}

// TestDifferences checks what counts as otherwise, and where it is listened to.
func TestDifferences(t *testing.T) {
	t.Parallel()
	c, sound := recordedCall()
	acts := listActs(c, sound)
	out := rehearsal.Outcome{
		Status: call.Completed, Report: []byte(`{"day":null,"n":2,"ok":true}`), Messages: c.Messages,
		Heard: []rehearsal.HeardTurn{{Act: 0, Text: "الو"}, {Act: 2, Text: "نعم"}, {Act: 3, Text: "2"}},
	}
	if r := compareCalls(c, acts, out); r.State != replay.Same || len(r.Report) != 0 {
		t.Errorf("the same: %+v", r)
	}
	out.Report, out.SlotActs = []byte(`{"n":2,"ok":false,"more":[1, 2]}`), map[string]int{"ok": 2}
	out.Heard[2].Text = "3"
	r := compareCalls(c, acts, out)
	if r.State != replay.Changed || r.At != 6 || len(r.Report) != 3 ||
		r.Report[0] != (replay.Difference{Name: "day", Old: "null", At: 9}) ||
		r.Report[1] != (replay.Difference{Name: "more", New: "[1,2]", At: 9}) ||
		r.Report[2] != (replay.Difference{Name: "ok", Old: "true", New: "false", At: 6}) {
		t.Errorf("otherwise: %+v", r)
	}
}

// TestFork checks where the paths of a call and its replay part: at the first step in which the platform speaks in one
// of them only. What it says there more than once, and how, is not compared.
func TestFork(t *testing.T) {
	t.Parallel()
	line := func(at float64, step string) call.Message {
		return call.Message{Role: call.Assistant, Content: "line " + step, Start: at, End: at + 1, Step: step}
	}
	heard := call.Message{Role: call.User, Content: "نعم", Start: 5, End: 6}
	was := []call.Message{line(0, ""), line(2, "ask"), line(4, "ask"), heard, line(7, "thanks"), line(9, "bye")}
	for name, c := range map[string]struct {
		was, is []call.Message
		want    *replay.Fork
	}{
		"the same":    {was, []call.Message{line(3, "ask"), heard, line(8, "thanks"), line(12, "bye")}, nil},
		"another":     {was, []call.Message{line(3, "ask"), line(8, "sorry"), line(12, "bye")}, &replay.Fork{Old: "thanks", New: "sorry", At: 6}},
		"shorter":     {was, []call.Message{line(3, "ask"), line(8, "thanks")}, &replay.Fork{Old: "bye", At: 8}},
		"longer":      {was[:4], []call.Message{line(3, "ask"), line(8, "thanks")}, &replay.Fork{New: "thanks", At: 5}},
		"none before": {[]call.Message{line(0, ""), heard}, was, nil},
	} {
		if got := findFork(c.was, c.is); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	r := compareCalls(call.Call{Status: call.Completed, Messages: was}, nil, rehearsal.Outcome{
		Status: call.Completed, Messages: []call.Message{line(2, "ask"), heard, line(8, "sorry")},
	})
	if r.State != replay.Changed || r.Parted == nil {
		t.Errorf("another way: %+v", r)
	}
}
