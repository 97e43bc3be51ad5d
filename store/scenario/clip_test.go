package scenario_test

import (
	"testing"
	"time"

	"munadi/store/scenario"
)

// TestClipNames checks that the name of a span is read back, and that nothing else is a span.
func TestClipNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]scenario.ClipSpan{
		"call_1@2.50-4.10": {CallID: "call_1", From: 2500 * time.Millisecond, To: 4100 * time.Millisecond},
		"a-B@0.00-60.00":   {CallID: "a-B", To: time.Minute},
	} {
		got, ok := scenario.ParseClip(name)
		if !ok || got != want || got.String() != name {
			t.Errorf("%s: %+v %v %s", name, got, ok, got)
		}
	}
	for _, name := range []string{
		"", "call_1", "call_1@", "call_1@2-2", "call_1@3-2", "call_1@0-60.01", "../x@0-1", "a/b@0-1", "c@-1-2", "c@0-1e9", "c@0-9999999",
		"c@1.2345-2", "yes.wav",
	} {
		if got, ok := scenario.ParseClip(name); ok {
			t.Errorf("%q is %+v", name, got)
		}
	}
}

func FuzzParseClip(f *testing.F) {
	f.Add("call_1@2.50-4.10")
	f.Fuzz(func(t *testing.T, name string) {
		span, ok := scenario.ParseClip(name)
		if ok && (span.From < 0 || span.To <= span.From || span.To-span.From > scenario.MaxClip) {
			t.Errorf("%q is %+v", name, span)
		}
	})
}
