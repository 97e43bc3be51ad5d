package console_test

import (
	"testing"
	"time"

	"munadi/appliance/console"
	"munadi/store/org"
	"munadi/store/scenario"
)

// TestFirstSpeechCounts: with one sample there is no line to draw yet, but nobody is told that nothing was said.
func TestFirstSpeechCounts(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(d *console.Deps) {
		d.BuiltIn = func() []scenario.Scenario { return nil }
		d.Vitals = func() console.Vitals {
			return console.Vitals{Load: []console.Sample{{At: d.Now(), Length: 10 * time.Second, Audio: 8, Work: 2}}}
		}
	})
	b.get(org.Viewer, "").want(200).says("4.0", "the speed of speech", "The line appears").not("No speech was recognized")
}
