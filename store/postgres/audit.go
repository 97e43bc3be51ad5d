package postgres

import (
	"context"
	"errors"
	"strconv"

	"munadi/store"
	"munadi/store/record"
)

var audits = tableOf[store.AuditEntry]{name: "audit", keys: []string{"org", "rank"}}

// addAudit appends an entry to an organization's audit trail, in the transaction of the change that it records.
func addAudit(e *dbTx, orgID string, c store.AuditEntry) {
	raw, err := encodeRecord(c)
	if err = errors.Join(record.CheckAudit(c), err); err != nil && e.err == nil {
		e.err = err
	}
	e.queueWrite("INSERT INTO audit (org, rank, record) VALUES ($1, nextval('ranks'), $2)", orgID, raw)
}

// AddAudit implements [store.UserStore].
func (s *PostgresStore) AddAudit(ctx context.Context, orgID string, c store.AuditEntry) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		err := needOrganization(e, orgID)
		if err == nil {
			addAudit(e, orgID, c)
		}
		return err
	})
}

// AuditTrail implements [store.AuditStore].
func (s *PostgresStore) AuditTrail(
	ctx context.Context, orgID string, limit int, cursor string,
) (store.ListPage[store.AuditEntry], error) {
	return rankedPage[store.AuditEntry](ctx, s, []string{"audit", orgID}, limit, cursor,
		"SELECT record, rank FROM audit WHERE org = $1 AND rank < $2 ORDER BY rank DESC LIMIT $3", orgID)
}

// rankedPage returns a page of a list that is ordered by rank, newest first. The arguments of the query are arg, the
// rank before which the page begins, and the number of rows.
func rankedPage[T any](
	ctx context.Context, s *PostgresStore, list []string, limit int, cursor, sql string, arg any,
) (store.ListPage[T], error) {
	return readPage[T](ctx, s, list, limit, cursor, func(e *dbTx, place string, rows int) (pagedRows[T], error) {
		before, err := strconv.ParseInt(place, 10, 64)
		if place == "" || err != nil {
			before = maxRank
		}
		found, err := e.query(sql, arg, before, rows)
		if err != nil {
			return pagedRows[T]{}, err
		}
		return collectPage[T](found)
	})
}

// maxRank is above every rank and every time.
const maxRank = int64(^uint64(0) >> 1)

// pagedRows are records and their places in the list's order. examined is the last examined place if more may follow;
// empty at the end of the list.
type pagedRows[T any] struct {
	records  []T
	places   []string
	examined string
}

// collectPage reads rows of a record and the columns of its place.
func collectPage[T any](rows pgxRows) (found pagedRows[T], err error) {
	defer rows.Close()
	for rows.Next() {
		var raw []byte
		to := []any{&raw}
		place := make([]any, len(rows.FieldDescriptions())-1)
		for i := range place {
			to = append(to, &place[i])
		}
		if err := rows.Scan(to...); err != nil {
			return found, err
		}
		var record T
		if err := decodeRecord(raw, &record); err != nil {
			return found, err
		}
		found.records = append(found.records, record)
		found.places = append(found.places, joinPlace(place))
	}
	return found, rows.Err()
}

// readPage reads a page of a list: ask reads the rows after a place, with a limit of one more than the page, to detect
// the last page.
func readPage[T any](
	ctx context.Context, s *PostgresStore, list []string, limit int, cursor string,
	ask func(e *dbTx, place string, rows int) (pagedRows[T], error),
) (store.ListPage[T], error) {
	page := store.ListPage[T]{Items: []T{}}
	if err := record.CheckLimit(limit); err != nil {
		return page, err
	}
	place, err := record.PlaceOfCursor(list, cursor)
	if err != nil {
		return page, err
	}
	err = s.readRows(ctx, func(e *dbTx) error {
		found, err := ask(e, place, limit+1)
		if len(found.records) > limit {
			found.records = found.records[:limit]
			page.Next = record.EncodeCursor(list, found.places[limit-1])
		} else if found.examined != "" {
			page.Next = record.EncodeCursor(list, found.examined)
		}
		page.Items = append(page.Items, found.records...)
		return err
	})
	return page, err
}
