package storetest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/storetest/fixture"
)

// filledStore: a whole installation can be made and read; lists have as many calls as are counted, each as it is found
// by its id, and none twice.
func filledStore(t *testing.T, s store.Store) {
	read := fixture.FillStore(t, s).ReadStore(t, s)
	lists := 0
	for query, result := range read {
		filter, isList := strings.CutPrefix(query, "CallsPage")
		if !isList {
			continue
		}
		listed := result.([]call.Call)
		if lists++; len(listed) != read["CountCalls"+filter] {
			t.Errorf("%d calls are listed%s, %v counted", len(listed), filter, read["CountCalls"+filter])
		}
		seen := map[string]bool{}
		for _, c := range listed {
			found, err := s.FindCall(t.Context(), c.OrgID, c.ID)
			if found.Messages = nil; err != nil || seen[c.ID] || !cmp.Equal(found, c) {
				t.Errorf("listed%s: %+v, found %+v, %v, twice: %v", filter, c, found, err, seen[c.ID])
			}
			seen[c.ID] = true
		}
	}
	if lists == 0 {
		t.Error("no list was read")
	}
}
