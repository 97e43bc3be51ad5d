package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"munadi/store/call"
	"munadi/store/dump"
	"munadi/store/record"
)

// tallyKind is the kind of counters in a dump: key ORGANIZATION/TIME/SCENARIO, or ORGANIZATION/total/SCENARIO.
const tallyKind = "call-tally"

// totalPart replaces the time in the key of an all-time counter.
const totalPart = "total"

// dumpTallies writes the counters of calls, in the embedded database's form.
func dumpTallies(ctx context.Context, tx pgx.Tx, out *dump.DumpWriter) error {
	all, err := readTallies(ctx, tx)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		raw, err := encodeRecord(all[key])
		if err == nil {
			err = out.WriteRecord([]byte(key), raw)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readTallies reads the counters of all organizations, by their keys in a dump.
func readTallies(ctx context.Context, tx pgx.Tx) (map[string]call.CallTally, error) {
	rows, err := tx.Query(ctx, "SELECT DISTINCT org FROM call_tallies")
	if err != nil {
		return nil, err
	}
	orgs, err := collectText(rows)
	if err != nil {
		return nil, err
	}
	all := map[string]call.CallTally{}
	for _, orgID := range orgs {
		rows, err := tx.Query(ctx, selectTallies, orgID, tallyTotal, maxRank)
		if err != nil {
			return nil, err
		}
		tallies, err := collectTallies(rows)
		if err != nil {
			return nil, err
		}
		for _, t := range tallies {
			at := totalPart
			if !t.At.IsZero() {
				at = record.EncodeTime(t.At)
			}
			all[strings.Join([]string{tallyKind, orgID, at, t.ScenarioID}, "/")] = t
		}
	}
	return all, nil
}

// importTally writes a counter of a dump.
func importTally(e *dbTx, key []string, raw []byte) error {
	if len(key) != 3 {
		return fmt.Errorf("a key of %s has %d parts, want 3", tallyKind, len(key))
	}
	t, err := decodeTally(raw)
	if err != nil {
		return err
	}
	at := tallyTotal
	if key[1] != totalPart {
		ns, err := strconv.ParseInt(key[1], 16, 64)
		if err != nil {
			return err
		}
		at = ns
	}
	put := func(what, name, value string, n int) {
		e.queueWrite("INSERT INTO call_tallies (org, at, scenario, what, name, value, n, fresh) "+
			"VALUES ($1, $2, $3, $4, $5, $6, $7, false)", key[0], at, key[2], what, name, value, n)
	}
	for status, n := range t.Counts {
		put(tallyStatus, string(status), "", n)
	}
	for status, n := range t.ByOperator {
		put(tallyOperator, string(status), "", n)
	}
	for slot, values := range t.Answers {
		for value, n := range values {
			put(tallyAnswer, slot, value, n)
		}
	}
	return nil
}

// decodeTally decodes a counter of a dump, without the answers that this database does not count, see
// [storableAnswers].
func decodeTally(raw []byte) (t call.CallTally, err error) {
	err = decodeRecord(raw, &t)
	for slot, values := range t.Answers {
		maps.DeleteFunc(values, func(value string, _ int) bool { return !isStorable(slot) || !isStorable(value) })
		if len(values) == 0 {
			delete(t.Answers, slot)
		}
	}
	return t, err
}
