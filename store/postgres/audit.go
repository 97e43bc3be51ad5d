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
	return rankedPage(ctx, s, audits, []string{"audit", orgID}, limit, cursor, "org = $1", orgID)
}

// rankedPage returns a page of the rows of a table that meet a condition on its argument, $1, by rank, newest first.
func rankedPage[T any](
	ctx context.Context, s *PostgresStore, t tableOf[T], list []string, limit int, cursor, where string, arg any,
) (store.ListPage[T], error) {
	sql := "SELECT " + t.selected() + ", rank FROM " + t.name + " WHERE " + where +
		" AND rank < $2 ORDER BY rank DESC LIMIT $3"
	return readPage(ctx, s, list, limit, cursor, func(e *dbTx, place string, rows int) (pagedRows[T], error) {
		before, err := strconv.ParseInt(place, 10, 64)
		if place == "" || err != nil {
			before = maxRank
		}
		return readPlaces[T](e, t.name, sql, arg, before, rows)
	})
}

// maxRank is above every rank and every time.
const maxRank = int64(^uint64(0) >> 1)

// pagedRows are records and their places in the list's order. examined is the last examined place if more may follow;
// empty at the end of the list.
type pagedRows[T any] struct {
	records  []T
	places   []string
	skipped  int    // unreadable rows
	last     string // place of the last row, readable or not
	examined string
}

// readPlaces reads records with their places; the columns are those of [readRecords].
func readPlaces[T any](e *dbTx, table, sql string, args ...any) (found pagedRows[T], err error) {
	rows, err := readRecords[T](e, table, sql, args...)
	for _, one := range rows {
		if found.last = one.place; one.err != nil {
			found.skipped++
			continue
		}
		found.records, found.places = append(found.records, one.record), append(found.places, one.place)
	}
	return found, err
}

// countRows returns the number of rows that were read.
func (p pagedRows[T]) countRows() int { return len(p.records) + p.skipped }

// readPage reads a page of a list: ask reads the rows after a place, with a limit of one more than the page, to detect
// the last page. For unreadable rows further ones are read.
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
		rows := limit + 1
		found, err := ask(e, place, rows)
		for err == nil && found.countRows() == rows && len(found.records) <= limit {
			rows = limit + 1 + found.skipped
			found, err = ask(e, place, rows)
		}
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
