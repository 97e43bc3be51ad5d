package ssehub

import (
	"strconv"
	"testing"
)

// FuzzLastEventID checks that ids that the hub did not issue count as unknown.
func FuzzLastEventID(f *testing.F) {
	f.Add("0123abcd-7")
	f.Add("0123abcd--1")
	f.Add("0123abcd-99999999999999999999")
	f.Add("ffffffff-7")
	f.Fuzz(func(t *testing.T, id string) {
		h := &EventHub{epoch: "0123abcd"}
		n := h.eventNumber(id)
		if n < -1 {
			t.Errorf("%q is %d", id, n)
		}
		if again, err := strconv.Atoi(id[min(len(id), 9):]); n >= 0 && (err != nil || again != n || h.eventNumber(string(h.eventID(n))) != n) {
			t.Errorf("%q is %d", id, n)
		}
	})
}
