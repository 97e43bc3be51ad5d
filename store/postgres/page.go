package postgres

import (
	"context"

	"munadi/store"
	"munadi/store/record"
)

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

// newestPage returns a page of an organization's records of a table, by creation and id, newest first. complete, if
// any, reads what a record lacks.
func newestPage[T any](
	ctx context.Context, s *PostgresStore, t tableOf[T], list []string, limit int, cursor, orgID string,
	complete func(*dbTx, *T) error,
) (store.ListPage[T], error) {
	return readPage(ctx, s, list, limit, cursor, func(e *dbTx, place string, rows int) (pagedRows[T], error) {
		sql, args := "SELECT "+t.selected()+", made, id FROM "+t.name+" WHERE org = $1 AND (made, id) < ($2, $3) "+
			"ORDER BY made DESC, id DESC LIMIT $4", []any{orgID}
		before := splitPlace(place, 1)
		if before == nil {
			before = []any{maxRank, ""}
		}
		found, err := readPlaces[T](e, t.name, sql, append(append(args, before...), rows)...)
		for i := range found.records {
			if err == nil && complete != nil {
				err = complete(e, &found.records[i])
			}
		}
		return found, err
	})
}
