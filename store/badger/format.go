package badger

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
	"munadi/store/records"
)

// format is the version of the key layout that this version writes. A change that an older version would misread
// increments it and adds a migration.
//
//	1  organizations, keys, restaurant sessions and phrases, transcription jobs
//	2  calls, calling rules, scenarios, outbox, audit trail, numbered transactions
//	3  pending deliveries are found by the time of their next attempt
//	4  lists of calls by dial time and campaign; the base indexes of calls hold the fields that filters compare
//	5  lists of calls by end of number, answer, scenario and dial time; counters by dial time
//	6  calls that a person must follow up are listed by the time of their mark
const format = 6

// formatKey stores the format version.
var formatKey = []byte("format")

// upgrades are the migrations from each older format to the next. An interrupted migration is repeated from its
// beginning and must tolerate its own partial writes.
var upgrades = map[int]func(*badgerdb.DB, *unreadableRecords) error{
	1: numberCommits,
	2: orderDeliveriesByTime,
	3: indexCalls,
	4: tallyCalls,
	5: indexMarks,
}

// tallyCalls writes all index entries and counters of calls, and removes the index by number, which the index of
// reversed numbers replaces. Counters are computed from zero, so that a repeated migration counts no call twice.
func tallyCalls(db *badgerdb.DB, lost *unreadableRecords) error {
	if err := indexCalls(db, lost); err != nil {
		return err
	}
	tallies, t := map[string][]byte{}, declaredTables["call-tally"]
	err := db.View(func(txn *badgerdb.Txn) error {
		v := snapshotView{txn: txn, lost: lost}
		return eachRecord(v, joinPrefix("call"), "", func(_ string, r record.CallRecord) (_ bool, err error) {
			for _, c := range records.CallCounts(r.Call, 1, true) {
				place := string(joinKey(t.Kind, c.Key...))
				if tallies[place], err = t.Counts.Apply(tallies[place], []driver.Change{c}); err != nil {
					return false, err
				}
			}
			return true, nil
		})
	})
	if err != nil {
		return err
	}
	return writeTallies(db, tallies)
}

// writeTallies writes counters, and removes the keys that they and the index by the end of a number replace.
func writeTallies(db *badgerdb.DB, tallies map[string][]byte) error {
	batch := db.NewWriteBatch()
	defer batch.Cancel()
	err := db.View(func(txn *badgerdb.Txn) (err error) {
		for _, kind := range []string{kindCallNumber, kindCallCount} {
			snapshotView{txn: txn}.visitKeys(joinPrefix(kind), func(rest string) bool {
				err = batch.Delete(append(joinPrefix(kind), rest...))
				return err == nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for place, tally := range tallies {
		if err := batch.Set([]byte(place), tally); err != nil {
			return err
		}
	}
	return batch.Flush()
}

// numberCommits starts the transaction counter. Everything else new in format 2 begins empty; the version is raised so
// that an older version, which would never dial booked calls, refuses the database.
func numberCommits(db *badgerdb.DB, _ *unreadableRecords) error {
	return db.Update(func(txn *badgerdb.Txn) error { return txn.Set(commitsKey, encodeCounter(0)) })
}

// orderDeliveriesByTime rewrites the index entries of pending deliveries, a thousand per transaction.
func orderDeliveriesByTime(db *badgerdb.DB, lost *unreadableRecords) error {
	for more := true; more; {
		err := db.Update(func(txn *badgerdb.Txn) error {
			var old [][]byte
			snapshotView{txn: txn}.visitKeys(joinPrefix(kindDeliveryOwed), func(rest string) bool {
				old = append(old, append(joinPrefix(kindDeliveryOwed), rest...))
				return len(old) < 1000
			})
			more = len(old) > 0
			for _, k := range old {
				if err := moveOwedEntry(snapshotView{txn: txn, lost: lost}, k); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// moveOwedEntry replaces ORG/LANE/RANK/ID (time as value) by ORG/LANE/TIME/RANK/ID. If its time cannot be read, the
// delivery is due immediately.
func moveOwedEntry(v snapshotView, old []byte) error {
	txn := v.txn
	at, _, err := v.rawValue(old)
	if store.IsUnreadable(err) {
		at, err = []byte(encodeTime(time.Time{})), nil
	}
	if err != nil {
		return err
	}
	parts := splitKey(string(old[len(joinPrefix(kindDeliveryOwed)):]), 4)
	if len(parts) == 4 {
		if err := txn.Set(joinKey(kindDeliveryDue, parts[0], parts[1], string(at), parts[2], parts[3]), nil); err != nil {
			return err
		}
	}
	return txn.Delete(old)
}

// ensureFormat stamps an empty database, migrates an older one and refuses one of a newer version. before may abort a
// migration; nil is allowed. Unreadable records are logged by lost, and left unchanged.
func ensureFormat(db *badgerdb.DB, before func(FormatUpgrade) error, lost *unreadableRecords) error {
	found, err := formatOf(db)
	if err != nil {
		return err
	}
	if found > 0 && found < format && before != nil {
		back := func(ctx context.Context, w io.Writer) error {
			return db.View(func(txn *badgerdb.Txn) error {
				v := snapshotView{txn: txn, lost: lost}
				progress := beginProgress(v, nil, upgradeProgress{
					log: lost.log, says: "the database is backed up before its upgrade", unit: "records",
				})
				defer progress.write()
				return writeDump(ctx, v, w, progress.noteRecord)
			})
		}
		state, err := describeState(db)
		if err != nil {
			return err
		}
		if err := before(FormatUpgrade{From: found, To: format, State: state, Backup: back}); err != nil {
			return fmt.Errorf("the database has format %d and is not upgraded to %d: %w", found, format, err)
		}
	}
	for {
		found, err := formatOf(db)
		switch {
		case err != nil || found == format:
			return err
		case found == 0:
			return writeFormat(db, format)
		}
		if err := upgrades[found](db, lost); err != nil {
			return fmt.Errorf("upgrade the database from format %d: %w", found, err)
		}
		if err := writeFormat(db, found+1); err != nil {
			return err
		}
	}
}

// describeState returns what identifies the content of a database: the number of its last transaction, which an
// interrupted upgrade leaves as it is, and without one, in format 1, Badger's.
func describeState(db *badgerdb.DB) (state string, err error) {
	err = db.View(func(txn *badgerdb.Txn) error {
		last, err := lastCommit(txn)
		if state = fmt.Sprint("transaction ", last); last == 0 {
			state = fmt.Sprint("version ", db.MaxVersion())
		}
		return err
	})
	return state, err
}

func writeFormat(db *badgerdb.DB, number int) error {
	return db.Update(func(txn *badgerdb.Txn) error { return txn.Set(formatKey, []byte(strconv.Itoa(number))) })
}

// formatOf returns a database's format version; 0 for an empty one.
func formatOf(db *badgerdb.DB) (found int, err error) {
	err = db.View(func(txn *badgerdb.Txn) error {
		value, there, err := snapshotView{txn: txn}.rawValue(formatKey)
		if err == nil && there {
			found, err = parseFormat(value)
		}
		return err
	})
	return found, err
}

// parseFormat parses and validates the stored version.
func parseFormat(value []byte) (int, error) {
	found, err := strconv.Atoi(string(value))
	switch {
	case err != nil || found < 1:
		return 0, &store.Error{
			Code: store.CodeCorrupt, Message: "the database's format version cannot be read: restore a backup", Err: err,
		}
	case found > format:
		return 0, store.Errorf(store.CodeFormat,
			"the database has format %d of a newer version; this version reads up to %d: use the newer one, or "+
				"restore the backup that it made before its upgrade", found, format)
	default:
		return found, nil
	}
}
