package call_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"munadi/store/call"
)

func TestReportAnswers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ن", 40)
	for report, want := range map[string]map[string]string{
		`{"ok":true,"n":2.5,"when":"2026-11-25","none":null,"list":[1],"deep":{"a":1},"empty":"","long":"` + long + `"}`: {
			"ok": "true", "n": "2.5", "when": "2026-11-25", "none": "null",
		},
		`{}`: {}, ``: nil, `[]`: nil, `{"a":`: nil,
	} {
		if got := call.ReportAnswers(json.RawMessage(report)); !maps.Equal(got, want) {
			t.Errorf("%s has answers %v, want %v", report, got, want)
		}
	}
}

func TestTally(t *testing.T) {
	t.Parallel()
	var tally, all call.CallTally
	tally.CountStatus(call.Scheduled, 1)
	tally.CountStatus(call.Scheduled, -1)
	tally.CountStatus(call.Completed, 1)
	tally.CountOperator(call.Completed, 1)
	tally.CountAnswer("ok", "true", 1, 50)
	all.MergeTally(tally)
	all.MergeTally(tally)
	want := "map[completed:2] map[completed:2] map[ok:map[true:2]]"
	if got := fmt.Sprint(all.Counts, all.ByOperator, all.Answers); got != want {
		t.Errorf("counted %s, want %s", got, want)
	}
	passed := call.Call{Report: json.RawMessage(`{"ok":true,"why":null,"when":null,"who":null}`), Unasked: []string{"why", "ok", "who"}}
	passed.Corrections = []call.CallCorrection{{Slot: "who", Value: json.RawMessage("null")}} // by staff: it was asked
	if got := string(passed.CountedReport()); got != `{"ok":true,"when":null,"who":null}` {
		t.Errorf("counted is %s", got)
	}
	for i := range 200 {
		tally.CountAnswer("name", fmt.Sprint("person ", i), 1, 50)
	}
	if names := tally.Answers["name"]; len(names) != 51 || names[call.OtherAnswers] != 150 {
		t.Errorf("%d different names are counted, %d together, want the first 50 and 150", len(names), names[call.OtherAnswers])
	}
	for i := range 200 {
		tally.CountAnswer("name", fmt.Sprint("person ", i), -1, 50)
	}
	if names := tally.Answers["name"]; len(names) > 0 {
		t.Errorf("names are left: %v", names)
	}
}

// TestTallyStateAt: a call that was due by a time and dialled after it still waited then.
func TestTallyStateAt(t *testing.T) {
	t.Parallel()
	due := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	by := due.Add(2 * time.Hour)
	tally := call.CallTally{At: due, Counts: map[call.CallStatus]int{call.Completed: 5, call.NoAnswer: 2}}
	tally.AddDialled(due.Unix(), call.Completed, 2) // one more was counted by a version that did not note when
	if then, whole := tally.StateAt(by); !whole || !maps.Equal(then.Counts, tally.Counts) {
		t.Errorf("all were dialled before: %v, %v", then.Counts, whole)
	}
	tally.AddDialled(by.Unix(), call.Completed, 1)
	tally.AddDialled(due.Add(30*time.Hour).Unix(), call.Completed, 1)
	then, whole := tally.StateAt(by)
	want := map[call.CallStatus]int{call.Completed: 3, call.NoAnswer: 2, call.Scheduled: 2}
	if whole || !maps.Equal(then.Counts, want) {
		t.Errorf("%v, %v, want %v", then.Counts, whole, want)
	}
}

// TestSplitInbound checks that calls that came in, among them one that a user ended, are taken out of what was counted
// with their answers yes and no, and that dialled ones stay.
func TestSplitInbound(t *testing.T) {
	t.Parallel()
	var tally call.CallTally
	for _, c := range []call.Call{
		{Status: call.Completed, Direction: call.Inbound, EndedBy: call.ByCustomer, Report: json.RawMessage(`{"ok":true,"size":"big"}`)},
		{Status: call.Completed, Direction: call.Inbound, EndedBy: call.ByOperator},
		{Status: call.Failed, Direction: call.Inbound},
		{Status: call.InProgress, Direction: call.Inbound},
		{Status: call.Completed, EndedBy: call.ByOperator, Report: json.RawMessage(`{"ok":true,"size":"big"}`)},
		{Status: call.Completed, Direction: call.Outbound, Report: json.RawMessage(`{"ok":false}`)},
	} {
		tally.CountStatus(c.Status, 1)
		if c.EndedBy == call.ByOperator {
			tally.CountOperator(c.Status, 1)
		}
		for _, status := range call.InboundStatuses(c) {
			tally.CountInbound(status, 1)
		}
		for slot, value := range call.ReportAnswers(c.Report) {
			tally.CountAnswer(slot, value, 1, 50)
		}
		for slot, value := range call.YesNoOfInbound(c) {
			tally.CountInboundAnswer(slot, value, 1)
		}
	}
	before := fmt.Sprint(tally)
	outbound, inbound := tally.SplitInbound()
	got := fmt.Sprint(inbound.Counts, inbound.Answers, outbound.Counts, outbound.ByOperator, outbound.Answers)
	want := "map[completed:2 failed:1] map[ok:map[true:1]] map[completed:2 in_progress:1] map[completed:1] " +
		"map[ok:map[false:1 true:1] size:map[big:2]]"
	if got != want {
		t.Errorf("counted %s, want %s", got, want)
	}
	if fmt.Sprint(tally) != before {
		t.Errorf("the tally itself became %v", tally)
	}
}
