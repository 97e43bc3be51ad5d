package badger

import (
	"context"
	"fmt"
	"testing"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/records"
)

// TestSuspectsOfLists: before a list ends, its own indexes are verified within its bounds; the base index, which has
// every call, only if it is the list's only index, or lacks a call that another index refers to.
func TestSuspectsOfLists(t *testing.T) {
	t.Parallel()
	s := openCalls(t, "", OpenOptions{InMemory: true}, "bakery")
	c := newTestCall("bakery")
	if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
		t.Fatal(err)
	}
	from, due := testClock(), encodeTime(testClock())
	base := "call-when/bakery/" + due + "/" + encodeTime(c.CreatedAt) + "/" + c.ID
	for _, want := range []struct {
		f       store.CallFilter
		suspect string
		missing int
	}{
		{store.CallFilter{}, "[call-when/bakery/ call-when/bakery/~]", 0},
		{store.CallFilter{DueFrom: from}, "[call-when/bakery/" + due + " call-when/bakery/~]", 0},
		{
			store.CallFilter{Statuses: []call.CallStatus{call.Dialing}},
			"[call-status-when/bakery/dialing/ call-status-when/bakery/dialing/~]", 0,
		},
		{
			store.CallFilter{Statuses: []call.CallStatus{call.Scheduled}},
			"[call-status-when/bakery/scheduled/ call-status-when/bakery/scheduled/~]", 1,
		},
		{ // the group without any key
			store.CallFilter{Statuses: []call.CallStatus{call.Failed}, ScenarioID: "order"},
			"[call-status-when/bakery/failed/ call-status-when/bakery/failed/~]", 0,
		},
		{
			store.CallFilter{Statuses: []call.CallStatus{call.Scheduled}, ScenarioID: "order"},
			"[call-status-when/bakery/scheduled/ call-status-when/bakery/scheduled/~} " +
				"{call-scenario-when/bakery/order/ call-scenario-when/bakery/order/~]", 1,
		},
		{store.CallFilter{PhoneNumber: "+12"}, "[call-tail/bakery/21+ call-tail/bakery/21+\xff]", 0},
		{store.CallFilter{NumberEnds: "1"}, "[call-tail/bakery/1 call-tail/bakery/1\xff]", 1},
	} {
		want.f.Sort, want.f.Limit = store.SortByDueTime, 10
		for _, lost := range []bool{false, true} {
			err := s.updateTx(t.Context(), func(e writeTx) error {
				if e.putIndex([]byte(base)); lost {
					e.deleteKey([]byte(base))
				}
				return nil
			})
			read, failed := findCalls(t, s, want.f)
			got := fmt.Sprintf("%s", read.suspects)
			if got = got[1 : len(got)-1]; err != nil || failed != nil || got != "{"+want.suspect[1:len(want.suspect)-1]+"}" {
				t.Errorf("%+v suspects %s, want %s, %v %v", want.f, got, want.suspect, err, failed)
			}
			if lost && len(read.missing) != want.missing || !lost && len(read.missing) != 0 {
				t.Errorf("%+v, lost %v: missing are %s", want.f, lost, read.missing)
			}
		}
	}
}

// findCalls runs the query of a filter once and returns what was read.
func findCalls(t *testing.T, s *BadgerStore, filter store.CallFilter) (f finder, err error) {
	t.Helper()
	spy := &querySpy{Driver: storeDriver{s}}
	if _, err := records.NewRecords(spy).CallsPage(t.Context(), "bakery", filter); err != nil {
		return f, err
	}
	err = s.readSnapshot(t.Context(), func(v snapshotView) error {
		f = newFinder(writeTx{v, &changeSet{}}, spy.asked)
		return f.visitRows(t.Context(), func(driver.Tx, driver.Row) (bool, error) { return true, nil })
	})
	return f, err
}

// querySpy is a driver that notes the query of a list, and finds nothing.
type querySpy struct {
	driver.Driver
	asked driver.Query
}

func (s *querySpy) Find(
	_ context.Context, q driver.Query, _ func(), _ func(driver.Tx, driver.Row) (bool, error),
) (string, error) {
	s.asked = q
	return "", nil
}

// TestTablesOfRanges: tables are compared with ranges by their first and last key.
func TestTablesOfRanges(t *testing.T) {
	t.Parallel()
	ranges := []keyRange{{[]byte("c"), []byte("e")}, {[]byte("x"), []byte("x")}}
	for table, want := range map[[2]string]bool{
		{"a", "b"}: false, {"a", "c"}: true, {"d", "d"}: true, {"e", "f"}: true, {"f", "w"}: false, {"a", "z"}: true, {"x", "y"}: true, {"y", "z"}: false,
	} {
		if got := overlapsAny(ranges, []byte(table[0]), []byte(table[1])); got != want {
			t.Errorf("%v: %v", table, got)
		}
	}
}
