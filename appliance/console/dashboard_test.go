package console_test

import (
	"testing"
	"time"

	"munadi/appliance/console"
	"munadi/appliance/monitor/vitals"
	"munadi/store/account"
	"munadi/store/call"
)

// TestFirstSpeechCounts: with one sample there is no line to draw yet, but nobody is told that nothing was said.
func TestFirstSpeechCounts(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(d *console.Dependencies) {
		d.PublicURL = func() string { return "" }
		d.Vitals = func() console.ApplianceVitals {
			return console.ApplianceVitals{Load: []vitals.RecognizerSample{{At: d.Now(), Length: 10 * time.Second, Audio: 8, Work: 2}}}
		}
	})
	b.getPage(account.Viewer, "/system").wantStatus(200).wantTexts("4.0", "the speed of speech", "The line appears").wantNoTexts("No speech was recognized")
}

// TestBookedLongAgo: a call that is dialled today is one of the day, however long ago it was booked.
func TestBookedLongAgo(t *testing.T) {
	t.Parallel()
	d := &callBench{consoleBench: newBench(t, func(d *console.Dependencies) {
		d.Vitals = func() console.ApplianceVitals { return console.ApplianceVitals{} }
	})}
	old := d.bookCall("acme", anyNumber, func(c *call.Call) {
		c.CreatedAt, c.ScheduledAt = d.now.Add(-20*24*time.Hour), d.now
	})
	d.endCall(old, call.CallOutcome{Status: call.Completed})
	for range 250 { // more than a page, for next week
		d.bookCall("acme", anyNumber, func(c *call.Call) {
			c.CreatedAt, c.ScheduledAt = d.now.Add(-3*24*time.Hour), d.now.Add(7*24*time.Hour)
		})
	}
	d.getPage(account.Viewer, "").wantStatus(200).wantTexts("of one that ended")
}
