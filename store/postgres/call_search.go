package postgres

import (
	"cmp"
	"context"
	"errors"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
)

// searchBatch is the number of calls that a search reads at once.
const searchBatch = 200

// SearchCalls implements [store.CallStore].
func (s *PostgresStore) SearchCalls(
	ctx context.Context, orgID string, f store.CallFilter, words string, examine func(call.Call) (found, more bool),
) (store.ListPage[call.Call], error) {
	page := store.ListPage[call.Call]{Items: []call.Call{}}
	list := append(record.CallsList(orgID, f), "search", words)
	place, err := record.PlaceOfCursor(list, f.Cursor)
	if err = errors.Join(err, record.CheckLimit(f.Limit), record.CheckFilter(f)); err != nil {
		return page, err
	}
	err = s.readRows(ctx, func(e *dbTx) error {
		for {
			rows, err := readCallsWithMessages(e, orgID, f, place)
			if err != nil {
				return err
			}
			for i, r := range rows.records {
				if len(page.Items) == f.Limit {
					page.Next = record.EncodeCursor(list, place)
					return nil
				}
				place = rows.places[i]
				found, more := examine(r.Call)
				if found {
					page.Items = append(page.Items, r.Call)
				}
				if !more {
					page.Next = record.EncodeCursor(list, place)
					return nil
				}
			}
			place = cmp.Or(rows.last, place)
			if rows.countRows() < searchBatch {
				if rows.examined != "" {
					page.Next = record.EncodeCursor(list, rows.examined)
				}
				return nil
			}
		}
	})
	return page, err
}

// readCallsWithMessages reads the batch of calls after a place, with their messages.
func readCallsWithMessages(
	e *dbTx, orgID string, f store.CallFilter, place string,
) (pagedRows[record.CallRecord], error) {
	rows, err := readCalls(e, orgID, f, place, searchBatch)
	if err == nil {
		err = readMessages(e, orgID, rows.records)
	}
	return rows, err
}

// readMessages reads the messages of some calls.
func readMessages(e *dbTx, orgID string, records []record.CallRecord) error {
	at := map[string]int{}
	var ids []string
	for i, r := range records {
		if r.Words {
			at[r.Call.ID], ids = i, append(ids, r.Call.ID)
		}
	}
	rows, err := e.query("SELECT call, record FROM call_words WHERE org = $1 AND call = ANY($2)", orgID, ids)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var raw []byte
		if err := rows.Scan(&id, &raw); err != nil {
			return err
		}
		key := "call-words/" + orgID + "/" + id
		err := e.decodeReported(key, raw, &records[at[id]].Call.Messages)
		if err = exceptUnreadable(err); err != nil {
			return err
		}
	}
	return rows.Err()
}
