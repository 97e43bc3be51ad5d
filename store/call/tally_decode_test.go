package call_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/store/call"
)

// reflectedTally has the fields of a tally and none of its methods.
type reflectedTally call.CallTally

// FuzzDecodeTally: a tally is decoded as encoding/json decodes it, whatever the bytes are.
func FuzzDecodeTally(f *testing.F) {
	for _, seed := range []string{
		`{"counts":{"completed":3,"no_answer":12},"by_operator":{"failed":1}}`,
		`{"counts":{"failed":2},"uncalled":2}`, `{"uncalled":0,"uncalled":3}`, `{"uncalled":3,"uncalled":4}`, `{"uncalled":-1}`,
		`{"counts":{},"answers":{"confirmed":{"true":2,"null":1},"اسم":{"نورة":1,"a\"b":2}}}`,
		`{"counts":{"completed":1},"dialled":{"1700000100":{"completed":1}},"callers":{"+966110000000":{"answered":1}}}`,
		`{"counts":{"completed":1},"inbound":{"completed":1},"inbound_answers":{"confirmed":{"true":1},"other":{"false":1}}}`,
		` { "counts" : { "completed" : 1 } } `, `{"COUNTS":{"completed":1},"other":[1]}`, `{"counts":null}`, `{}`, `null`,
		`{"counts":{"completed":1},"counts":{"failed":1}}`, `{"counts":{"a":1,"a":2}}`, `{"counts":{"a":01}}`,
		`{"counts":{"a":-1}}`, `{"counts":{"a":1.5}}`, `{"counts":{"a":99999999999999999999}}`, `{"counts":{"a":1}}x`,
		`{"dialled":{"07":{"completed":1},"7":{"failed":1}}}`, `{"dialled":{"x":{}}}`, "{\"counts\":{\"a\xff\":1}}", `{"counts":{"a":1,}}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want reflectedTally
		var got call.CallTally
		failed, err := json.Unmarshal(raw, &want), got.UnmarshalJSON(raw)
		if (err != nil) != (failed != nil) {
			t.Fatalf("%q: %v, encoding/json: %v", raw, err, failed)
		}
		if diff := cmp.Diff(call.CallTally(want), got); diff != "" {
			t.Errorf("%q:\n%s", raw, diff)
		}
		some, err := call.DecodeTally(raw, []string{"confirmed"})
		if (err != nil) != (failed != nil) {
			t.Fatalf("%q with one slot: %v, encoding/json: %v", raw, err, failed)
		}
		for _, answers := range []map[string]map[string]int{want.Answers, want.InboundAnswers} {
			maps.DeleteFunc(answers, func(slot string, _ map[string]int) bool { return slot != "confirmed" })
		}
		if diff := cmp.Diff(call.CallTally(want), some); diff != "" {
			t.Errorf("%q with one slot:\n%s", raw, diff)
		}
	})
}
