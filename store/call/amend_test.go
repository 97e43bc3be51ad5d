package call_test

import (
	"strings"
	"testing"
	"time"

	"munadi/store/call"
)

// TestNoteBeyondTheMaximum checks that a change with one note too many is refused, and that the same change without a
// text is made.
func TestNoteBeyondTheMaximum(t *testing.T) {
	t.Parallel()
	c := call.Call{Status: call.Completed, Notes: make([]call.CallNote, call.MaxNotes)}
	_, _, err := c.Amend(call.Amendment{Kind: call.AmendMark, Text: "call again"}, "amal", time.Now())
	if err == nil || !strings.Contains(err.Error(), "make the change without a text") {
		t.Errorf("the error is %v", err)
	}
	marked, changed, err := c.Amend(call.Amendment{Kind: call.AmendMark}, "amal", time.Now())
	if err != nil || !changed || marked.Need == nil {
		t.Errorf("without a text: %+v, %t, %v", marked.Need, changed, err)
	}
}
