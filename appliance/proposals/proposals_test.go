package proposals

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/conversation/slot"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/scenario"
)

const asking = `{"id":"s","name":"s","variables":[{"name":"customer"}],"steps":[
	{"id":"q","type":"ask","say":"مرحبا {{customer}} هل تحضرون","slot":{"name":"ok","type":"yes_no"}},
	{"id":"r","type":"ask","say":"أي حجم","slot":{"name":"size","type":"choice","choices":[
		{"value":"small","phrases":["صغير"]},{"value":"large","phrases":["كبير"]}]}},
	{"id":"n","type":"ask","say":"كم شخصا","slot":{"name":"n","type":"number"}}],"report":{}}`

// corrected is a call in which an answer was corrected.
type corrected struct {
	phone, heard, turn string // turn: its corrected words; empty: as heard
	slot, value        string
}

// callsOf returns a store of calls.
func callsOf(all ...corrected) *callStore {
	s := &callStore{}
	for i, one := range all {
		question := map[string]string{"ok": "مرحبا سارة هل تحضرون", "size": "أي حجم", "n": "كم شخصا"}[one.slot]
		c := call.Call{
			ID: fmt.Sprint(i), PhoneNumber: one.phone, Variables: map[string]any{"customer": "سارة العلي", "order": 7},
			Report: json.RawMessage(`{"ok":null,"size":null,"n":null}`),
			Messages: []call.Message{
				{Role: call.Assistant, Content: "معكم المطعم"},
				{Role: call.User, Content: "أهلين فيكم"},
				{Role: call.Assistant, Content: question},
				{Role: call.User, Content: one.heard},
				{Role: call.Assistant, Content: "شكرا"},
				{Role: call.User, Content: "يعطيكم العافية"},
			},
			Corrections: []call.CallCorrection{{Slot: one.slot, Value: json.RawMessage(one.value)}},
		}
		if at := 3; one.turn != "" {
			c.Corrections = append(c.Corrections, call.CallCorrection{Message: &at, Content: one.turn})
		}
		s.all = append(s.all, c)
	}
	return s
}

type callStore struct{ all []call.Call }

func (s *callStore) CallsPage(context.Context, string, store.CallFilter) (store.ListPage[call.Call], error) {
	page := store.ListPage[call.Call]{}
	for _, c := range s.all {
		c.Messages = nil
		page.Items = append(page.Items, c)
	}
	return page, nil
}

func (s *callStore) FindCall(_ context.Context, _, id string) (call.Call, error) {
	for _, c := range s.all {
		if c.ID == id {
			return c, nil
		}
	}
	return call.Call{}, store.Errorf(store.CodeNotFound, "there is no call")
}

// TestProposals: what different persons said and staff corrected alike is proposed; what one person said, what is
// personal, what is understood already and what stands for two values is not.
func TestProposals(t *testing.T) {
	t.Parallel()
	const sara, ali, mona = "+966500000001", "+966500000002", "+966500000003"
	for name, c := range map[string]struct {
		calls []corrected
		want  []string
	}{
		"two persons": {[]corrected{
			{sara, "بالغالي، والله", "", "ok", "true"}, {ali, "بالغالى والله", "", "ok", "true"}, {mona, "بالغالي والله", "", "ok", "true"},
		}, []string{"ok true 3: بالغالي، والله → بالغالي والله"}},
		"a choice by its corrected words": {[]corrected{
			{sara, "نونو", "ننونة", "size", `"small"`}, {ali, "النون", "ننونة", "size", `"small"`},
		}, []string{"size small 2: نونو → ننونة"}},
		"one person twice": {[]corrected{
			{sara, "بالغالي والله", "", "ok", "true"}, {sara, "بالغالي والله", "", "ok", "true"},
		}, nil},
		"withheld numbers": {[]corrected{{"", "بالغالي والله", "", "ok", "true"}, {"", "بالغالي والله", "", "ok", "true"}}, nil},
		"two values": {[]corrected{
			{sara, "بالغالي والله", "", "ok", "true"}, {ali, "بالغالي والله", "", "ok", "true"}, {mona, "بالغالي والله", "", "ok", "false"},
		}, nil},
		"understood": {[]corrected{
			{sara, "نعم", "", "ok", "false"}, {ali, "نعم", "", "ok", "false"}, {sara, "كبير", "", "size", `"small"`}, {ali, "كبير", "", "size", `"small"`},
		}, nil},
		"a name": {[]corrected{{sara, "أنا سارة", "", "ok", "true"}, {ali, "أنا سارة", "", "ok", "true"}}, nil},
		"a number": {[]corrected{
			{sara, "صفر خمسة خمسة ثلاثة أربعة سبعة", "", "ok", "true"}, {ali, "صفر خمسة خمسة ثلاثة أربعة سبعة", "", "ok", "true"},
		}, nil},
		"masked":     {[]corrected{{sara, "بالغالي [...]", "", "ok", "true"}, {ali, "بالغالي [...]", "", "ok", "true"}}, nil},
		"no phrases": {[]corrected{{sara, "شوية", "", "n", "3"}, {ali, "شوية", "", "n", "3"}}, nil},
	} {
		var s scenario.Scenario
		if err := json.Unmarshal([]byte(asking), &s); err != nil {
			t.Fatal(err)
		}
		f := Finder{Calls: callsOf(c.calls...), IsUnderstood: slot.IsUnderstood, Now: func() time.Time { return time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC) }}
		all, err := f.FindProposals(t.Context(), "o", s)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range all {
			got = append(got, fmt.Sprintf("%s %v %d: %s → %s", p.Slot, p.Value, p.Calls, p.Heard, p.Phrase))
			if !s.AddPhrase(p) || s.AddPhrase(p) {
				t.Errorf("%s: %v is not added once", name, p)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got %s", name, diff)
		}
		if again, err := f.FindProposals(t.Context(), "o", s); err != nil || len(again) > 0 {
			t.Errorf("%s: proposed again after they were added: %v %v", name, again, err)
		}
	}
}
