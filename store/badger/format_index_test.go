package badger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"munadi/store"
	"munadi/store/call"
)

// TestUpgradeProgress: an upgrade says how many calls there are and how many it has read, and afterwards the order by
// mark has the calls that are marked.
func TestUpgradeProgress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	var want []string
	for i := range 20 {
		c := newTestCall("bakery")
		c.Variables = map[string]any{"need": i} // as the record of a marked call
		c.PhoneNumber = fmt.Sprintf("+9665000000%02d", i)
		if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
			t.Fatal(err)
		}
		if i%5 > 0 {
			continue
		}
		_, err := s.ReleaseCall(t.Context(), "bakery", c.ID, testClock())
		if err == nil {
			o := call.CallOutcome{
				Status: call.Failed, Failure: &call.CallFailure{Reason: call.CarrierFailure}, Need: call.NeedAsked,
			}
			_, err = s.FinishCall(t.Context(), "bakery", c.ID, o, nil, testClock())
		}
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, c.ID)
	}
	downgradeStore(t, s, 5)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	s = openTest(t, dir, OpenOptions{Logger: slog.New(slog.NewJSONHandler(&said, nil))})
	var lines []string
	for line := range strings.Lines(said.String()) {
		var one struct {
			Msg       string
			Calls, Of int
		}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(one.Msg, "upgraded") {
			lines = append(lines, fmt.Sprint(one.Calls, " of ", one.Of))
		}
	}
	if got := strings.Join(lines, ", "); got != "0 of 24, 24 of 24" { // four were retried
		t.Errorf("the upgrade says %q", got)
	}
	page, err := s.CallsPage(t.Context(), "bakery", store.CallFilter{NeedsPerson: true, Sort: store.SortByMark, Limit: 200})
	if err != nil || len(page.Items) != len(want) {
		t.Errorf("%d calls are listed, %v, want %d", len(page.Items), err, len(want))
	}
}

// TestUpgradeProgressGoesOn: a long upgrade writes a line again and again.
func TestUpgradeProgressGoesOn(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	p := upgradeProgress{log: slog.New(slog.NewTextHandler(&said, nil)), all: 3}
	for range 3 {
		p.noteRecord()
		p.logged = p.logged.Add(-progressEvery)
	}
	if n := strings.Count(said.String(), "of=3"); n != 3 {
		t.Errorf("%d lines: %s", n, &said)
	}
}
