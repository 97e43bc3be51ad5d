package records

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/record"
)

// callTallies count calls by dial time and scenario, and by scenario of all time.
var callTallies = declareKind[call.CallTally](driver.Table{
	Kind: "call-tally", Name: "call_tallies", Key: []string{"org", "at", "scenario"}, Numbers: []string{"at"},
	Counts: &driver.Counts{Apply: applyCounts, Collect: collectCounts, List: listCounts},
}, nil, nil)

// What the counters of calls count.
const (
	countStatus   = "status"   // calls by status
	countOperator = "operator" // calls that a user ended, by status
	countAnswer   = "answer"   // reports by slot and value
	countDialled  = "dialled"  // dialled calls by status and step, see [call.CallTally]
	countCaller   = "caller"   // ended calls by status and caller number
	countInbound  = "inbound"  // ended calls that came in, by marked status
	countYesNo    = "yes_no"   // answers yes and no of ended calls that came in, by slot and value
)

// applyCounts changes a tally, within the limits of [call.CallTally.CountAnswer].
func applyCounts(raw []byte, changes []driver.Change) ([]byte, error) {
	var tally call.CallTally
	if raw != nil {
		if err := json.Unmarshal(raw, &tally); err != nil {
			return nil, err
		}
	}
	addCounts(&tally, changes, call.MaxTallyAnswers)
	if len(tally.Counts) == 0 {
		return nil, nil
	}
	return json.Marshal(tally)
}

// collectCounts returns the tally of counters.
func collectCounts(counters []driver.Change) ([]byte, error) {
	tally := call.CallTally{Counts: map[call.CallStatus]int{}}
	addCounts(&tally, counters, math.MaxInt)
	return json.Marshal(tally)
}

// addCounts adds changes to a tally; of a slot with most values or more, further answers are counted together.
func addCounts(tally *call.CallTally, changes []driver.Change, most int) {
	for _, c := range changes {
		switch c.What {
		case countDialled:
			if step, err := strconv.ParseInt(c.Value, 10, 64); err == nil {
				tally.AddDialled(step, call.CallStatus(c.Name), int(c.By))
			}
		case countCaller:
			tally.CountCaller(c.Value, call.CallStatus(c.Name), int(c.By))
		case countInbound:
			tally.CountInbound(call.CallStatus(c.Name), int(c.By))
		case countStatus:
			tally.CountStatus(call.CallStatus(c.Name), int(c.By))
		case countOperator:
			tally.CountOperator(call.CallStatus(c.Name), int(c.By))
		case countAnswer:
			tally.CountAnswer(c.Name, c.Value, int(c.By), most)
		case countYesNo:
			tally.CountInboundAnswer(c.Name, c.Value, int(c.By))
		}
	}
}

// listCounts returns the counters of a tally.
func listCounts(raw []byte) (all []driver.Change, err error) {
	var tally call.CallTally
	err = json.Unmarshal(raw, &tally)
	for status, n := range tally.Counts {
		all = append(all, driver.Change{What: countStatus, Name: string(status), By: int64(n)})
	}
	for status, n := range tally.ByOperator {
		all = append(all, driver.Change{What: countOperator, Name: string(status), By: int64(n)})
	}
	for status, n := range tally.Inbound {
		all = append(all, driver.Change{What: countInbound, Name: string(status), By: int64(n)})
	}
	for step, counts := range tally.Dialled {
		for status, n := range counts {
			all = append(all, driver.Change{
				What: countDialled, Name: string(status), Value: strconv.FormatInt(step, 10), By: int64(n),
			})
		}
	}
	for number, counts := range tally.Callers {
		for status, n := range counts {
			all = append(all, driver.Change{What: countCaller, Name: string(status), Value: number, By: int64(n)})
		}
	}
	for slot, values := range tally.Answers {
		for value, n := range values {
			all = append(all, driver.Change{What: countAnswer, Name: slot, Value: value, By: int64(n)})
		}
	}
	for slot, values := range tally.InboundAnswers {
		for value, n := range values {
			all = append(all, driver.Change{What: countYesNo, Name: slot, Value: value, By: int64(n)})
		}
	}
	return all, err
}

// CallCounts returns the changes of counters that add n calls like c; with answers, those that it ended with, too.
// Trials are not counted.
func CallCounts(c call.Call, n int64, answers bool) (all []driver.Change) {
	if c.Trial {
		return nil
	}
	for _, key := range tallyKeys(c) {
		all = append(all, driver.Change{Key: key, What: countStatus, Name: string(c.Status), By: n})
		if c.EndedBy == call.ByOperator {
			all = append(all, driver.Change{Key: key, What: countOperator, Name: string(c.Status), By: n})
		}
		if answers {
			all = append(all, answerCounts(key, c, n)...)
		}
	}
	at := tallyKeys(c)[0] // what follows is counted in the tally of the dial time alone
	step, statuses := call.DialledStep(c)
	for _, status := range statuses {
		all = append(all, driver.Change{
			Key: at, What: countDialled, Name: string(status), Value: strconv.FormatInt(step, 10), By: n,
		})
	}
	if shown, statuses := call.CallerStatuses(c); answers {
		for _, status := range statuses {
			all = append(all, driver.Change{Key: at, What: countCaller, Name: string(status), Value: shown, By: n})
		}
		for _, status := range call.InboundStatuses(c) {
			all = append(all, driver.Change{Key: at, What: countInbound, Name: string(status), By: n})
		}
		all = append(all, yesNoCounts(c, n)...)
	}
	return all
}

// yesNoCounts returns the changes of counters that add n calls that came in with the answers yes and no of c.
func yesNoCounts(c call.Call, n int64) (all []driver.Change) {
	for slot, value := range call.YesNoOfInbound(c) {
		all = append(all, driver.Change{Key: tallyKeys(c)[0], What: countYesNo, Name: slot, Value: value, By: n})
	}
	return all
}

// answerCounts returns the changes of counters that add n calls with the answers of c.
func answerCounts(key []string, c call.Call, n int64) (all []driver.Change) {
	for slot, value := range call.ReportAnswers(c.CountedReport()) {
		all = append(all, driver.Change{Key: key, What: countAnswer, Name: slot, Value: value, By: n})
	}
	return all
}

// tallyKeys returns the keys of the tallies that count a call.
func tallyKeys(c call.Call) [][]string {
	at := record.EncodeTime(tallyTime(c))
	return [][]string{{c.OrgID, at, c.ScenarioID}, {c.OrgID, driver.Total, c.ScenarioID}}
}

// tallyTime returns the quarter of an hour of a call's dial time.
func tallyTime(c call.Call) time.Time { return c.ScheduledAt.Truncate(call.TallyStep) }

// countCall moves a call between the counters of its dial time and status, and counts the answers that it ended with.
// before is nil for a new call.
func countCall(tx driver.Tx, before *call.Call, after call.Call) error {
	if before != nil && before.Status == after.Status && tallyTime(*before).Equal(tallyTime(after)) &&
		(before.ReleasedAt == nil) == (after.ReleasedAt == nil) {
		return nil
	}
	var changes []driver.Change
	if before != nil {
		changes = CallCounts(*before, -1, false)
	}
	changes = append(changes, CallCounts(after, 1, after.Status.IsFinal())...)
	slices.SortStableFunc(changes, func(a, b driver.Change) int { return cmp.Compare(a.Key[1], b.Key[1]) })
	return tx.Count(callTallies.Table, changes)
}

// recountAnswers updates the counters of answers after a correction of a call's report.
func recountAnswers(tx driver.Tx, before, after call.Call) error {
	if bytes.Equal(before.CountedReport(), after.CountedReport()) {
		return nil
	}
	changes := slices.Concat(yesNoCounts(before, -1), yesNoCounts(after, 1))
	for _, key := range tallyKeys(after) {
		changes = slices.Concat(changes, answerCounts(key, before, -1), answerCounts(key, after, 1))
	}
	if err := tx.Count(callTallies.Table, changes); err != nil || after.CampaignID == "" {
		return err
	}
	tally, err := lockTally(tx, after.OrgID, after.CampaignID)
	if err != nil {
		return err
	}
	tally.ReplaceReport(before.CountedReport(), after.CountedReport())
	return campaignTallies.put(tx, tally, after.OrgID, after.CampaignID)
}

// TallyCalls implements [store.CallStore].
func (s *Records) TallyCalls(
	ctx context.Context, orgID string, from, to time.Time, slots ...string,
) (found []call.CallTally, err error) {
	if !record.IsKeyPart(orgID) {
		return nil, nil
	}
	q := driver.Query{Table: callTallies.Table, Equal: []any{orgID}}
	if from.IsZero() && to.IsZero() {
		q.Equal = append(q.Equal, driver.Total)
	} else if to.IsZero() {
		to = time.Unix(0, math.MaxInt64)
	}
	if len(q.Equal) == 1 {
		q.Where = []driver.Condition{
			{Column: "at", Op: driver.AtLeast, Value: record.UnixNanos(from)},
			{Column: "at", Op: driver.Below, Value: record.UnixNanos(to)},
		}
	}
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		found = nil
		return tx.Scan(q, func(row driver.Row) (bool, error) {
			if row.Err != nil {
				return true, nil //nolint:nilerr // the driver has reported it
			}
			t, err := call.DecodeTally(row.Raw, slots)
			if err != nil {
				_ = tx.Unreadable(callTallies.Table, row.Key, err) // it is reported
				return true, nil
			}
			t.At = record.DecodeTime(row.Key[1]) // zero of all time
			t.ScenarioID = row.Key[2]
			found = append(found, t)
			return ctx.Err() == nil, ctx.Err()
		})
	})
	return found, err
}
