package postgres

import (
	"bytes"
	"context"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
)

// The kinds of rows of table call_tallies.
const (
	tallyStatus   = "status"   // calls by status
	tallyOperator = "operator" // calls that a user ended, by status
	tallyAnswer   = "answer"   // reports by slot and value
)

// tallyTotal replaces the dial time in all-time rows.
const tallyTotal = int64(-1)

// tallyRows are changes of counters, by column. A change inserts rows instead of updating a counter, so that calls do
// not wait for each other's locks; [PostgresStore.compactTallies] sums them up.
type tallyRows struct {
	at                []int64
	what, name, value []string
	n                 []int64
}

// add adds a change of n to the counters of a dial time and of all time.
func (t *tallyRows) add(due time.Time, what, name, value string, n int64) {
	for _, at := range []int64{unixNanos(due.Truncate(call.TallyStep)), tallyTotal} {
		t.at, t.what, t.n = append(t.at, at), append(t.what, what), append(t.n, n)
		t.name, t.value = append(t.name, name), append(t.value, value)
	}
}

// addCall adds n calls like c.
func (t *tallyRows) addCall(c call.Call, n int64) {
	t.add(c.ScheduledAt, tallyStatus, string(c.Status), "", n)
	if c.EndedBy == call.ByOperator {
		t.add(c.ScheduledAt, tallyOperator, string(c.Status), "", n)
	}
}

// countCall moves a call between the counters of its dial time and status, and counts the answers that it ended with.
// before is nil for a new call.
func countCall(e *dbTx, before *record.CallRecord, after call.Call) {
	var rows tallyRows
	if before != nil {
		quarter := before.Call.ScheduledAt.Truncate(call.TallyStep)
		if before.Call.Status == after.Status && quarter.Equal(after.ScheduledAt.Truncate(call.TallyStep)) {
			return
		}
		rows.addCall(before.Call, -1)
	}
	rows.addCall(after, 1)
	if after.Status.IsFinal() {
		for slot, value := range storableAnswers(after) {
			rows.add(after.ScheduledAt, tallyAnswer, slot, value, 1)
		}
	}
	rows.writeTallies(e, after)
}

// recountAnswers updates the counters of answers after a correction of a call's report.
func recountAnswers(e *dbTx, before, after call.Call) error {
	if bytes.Equal(before.CurrentReport(), after.CurrentReport()) {
		return nil
	}
	var rows tallyRows
	for slot, value := range storableAnswers(before) {
		rows.add(after.ScheduledAt, tallyAnswer, slot, value, -1)
	}
	for slot, value := range storableAnswers(after) {
		rows.add(after.ScheduledAt, tallyAnswer, slot, value, 1)
	}
	rows.writeTallies(e, after)
	if after.CampaignID == "" {
		return nil
	}
	if _, _, err := campaigns.lockReadable(e, after.OrgID, after.CampaignID); err != nil {
		return err
	}
	tally, _, err := findTally(e, after.OrgID, after.CampaignID)
	if err != nil {
		return err
	}
	tally.ReplaceReport(before.CurrentReport(), after.CurrentReport())
	campaignTallies.put(e, tally, after.OrgID, after.CampaignID)
	return nil
}

// writeTallies adds the changes to the counters of a call's organization and scenario.
func (t *tallyRows) writeTallies(e *dbTx, c call.Call) {
	e.queueWrite(`INSERT INTO call_tallies (org, scenario, at, what, name, value, n, fresh)
		SELECT $1, $2, u.*, true FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[]) u`,
		c.OrgID, c.ScenarioID, t.at, t.what, t.name, t.value, t.n)
}

// storableAnswers returns a call's answers that the database can store as text.
func storableAnswers(c call.Call) map[string]string {
	answers := call.ReportAnswers(c.CurrentReport())
	for slot, value := range answers {
		if !isStorable(slot) || !isStorable(value) {
			delete(answers, slot)
		}
	}
	return answers
}

// answerColumn returns a call's answers in their searchable form.
func answerColumn(c call.Call) []string {
	found := []string{}
	for slot, value := range storableAnswers(c) {
		found = append(found, answerText(slot, value))
	}
	return found
}

// answerText returns one answer in its searchable form.
func answerText(slot, value string) string { return slot + "\x1f" + value }

// selectTallies reads the counters of an organization in a range of dial times.
const selectTallies = "SELECT at, scenario, what, name, value, sum(n)::bigint FROM call_tallies " +
	"WHERE org = $1 AND at >= $2 AND at < $3 GROUP BY at, scenario, what, name, value HAVING sum(n) > 0 " +
	"ORDER BY at, scenario, what DESC, sum(n) DESC"

// TallyCalls implements [store.CallStore].
func (s *PostgresStore) TallyCalls(
	ctx context.Context, orgID string, from, to time.Time,
) (found []call.CallTally, err error) {
	first, end := int64(0), maxRank
	switch {
	case from.IsZero() && to.IsZero():
		first, end = tallyTotal, 0
	case !to.IsZero():
		end = unixNanos(to)
	}
	if !from.IsZero() {
		first = unixNanos(from)
	}
	err = s.readRows(ctx, func(e *dbTx) error {
		rows, err := e.query(selectTallies, orgID, first, end)
		if err == nil {
			found, err = collectTallies(rows)
		}
		return err
	})
	return found, err
}

// collectTallies reads counters from rows in order of time and scenario.
func collectTallies(rows pgxRows) (found []call.CallTally, err error) {
	defer rows.Close()
	for rows.Next() {
		var at, n int64
		var scenario, what, name, value string
		if err := rows.Scan(&at, &scenario, &what, &name, &value, &n); err != nil {
			return nil, err
		}
		one := call.CallTally{ScenarioID: strings.Clone(scenario)}
		if at != tallyTotal {
			one.At = timeOf(&at)
		}
		switch what {
		case tallyStatus:
			one.Counts = map[call.CallStatus]int{call.CallStatus(name): int(n)}
		case tallyOperator:
			one.ByOperator = map[call.CallStatus]int{call.CallStatus(name): int(n)}
		default:
			one.Answers = map[string]map[string]int{name: {value: int(n)}}
		}
		if last := len(found) - 1; last >= 0 && found[last].At.Equal(one.At) && found[last].ScenarioID == scenario {
			found[last].MergeTally(one)
			continue
		}
		found = append(found, one)
	}
	return found, rows.Err()
}

// compactTallies sums up the rows of changed counters, at most 500 counters per call.
func (s *PostgresStore) compactTallies(ctx context.Context) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		return e.exec(`WITH changed AS (
				SELECT DISTINCT org, at, scenario FROM call_tallies WHERE fresh LIMIT 500
			), gone AS (
				DELETE FROM call_tallies t USING changed c WHERE t.org = c.org AND t.at = c.at AND t.scenario = c.scenario
				RETURNING t.*
			)
			INSERT INTO call_tallies (org, at, scenario, what, name, value, n, fresh)
			SELECT org, at, scenario, what, name, value, sum(n), false FROM gone
			GROUP BY org, at, scenario, what, name, value HAVING sum(n) <> 0`)
	})
}

// CountCalls implements [store.CallStore].
func (s *PostgresStore) CountCalls(
	ctx context.Context, orgID string, f store.CallFilter, limit int,
) (n int, err error) {
	if err := record.CheckFilter(f); err != nil {
		return 0, err
	}
	err = s.readRows(ctx, func(e *dbTx) error {
		where := conditionOf(orgID, f)
		where.args = append(where.args, max(limit, 0))
		_, err := e.scanRow("SELECT count(*) FROM (SELECT 1 FROM calls WHERE "+where.joinConditions()+" LIMIT "+
			where.lastPlace()+") found", where.args, &n)
		return err
	})
	return n, err
}
