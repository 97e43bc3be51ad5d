package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store/driver"
	"munadi/store/record"
)

// partsOf returns the parts of a row in the order of a query.
func partsOf(q driver.Query, row driver.Row) []string {
	parts := make([]string, len(q.Parts()))
	for i, name := range q.Parts() {
		parts[i] = driver.EncodePart(q.Table.Column(row, name))
	}
	return parts
}

// find returns the rows of a query in its order, with their places, without its limit.
func (s *Store) find(q driver.Query) (found []driver.Row) {
	if q.Owner == driver.OtherOwner || q.Owner == driver.DeadOwner {
		return nil
	}
	from, to, rest := q.Bounds()
	for _, row := range s.kinds[q.Table.Kind] {
		isOther := func(name string) bool {
			wanted := q.Equal[slices.Index(q.Parts(), name)]
			return driver.EncodePart(q.Table.Column(row, name)) != driver.EncodePart(wanted)
		}
		if slices.ContainsFunc(q.Parts()[:len(q.Equal)], isOther) ||
			q.Index != nil && !q.Index.Has(q.Table, row) || !q.Table.Meets(row, rest) {
			continue
		}
		row.Place = strings.Join(partsOf(q, row)[len(q.Equal):], "/")
		isAfter := q.After == "" || !q.Latest && row.Place > q.After || q.Latest && row.Place < q.After
		if isAfter && row.Place >= from && (to == "" || row.Place < to) {
			found = append(found, row)
		}
	}
	slices.SortFunc(found, func(a, b driver.Row) int { return cmp.Compare(a.Place, b.Place) })
	if q.Latest {
		slices.Reverse(found)
	}
	return found
}

// Find implements [driver.Driver]. Of a limited number of examined rows, those count that meet all conditions but that
// of a text that a column contains.
func (s *Store) Find(
	ctx context.Context, q driver.Query, begin func(), visit func(driver.Tx, driver.Row) (bool, error),
) (examined string, err error) {
	begin()
	err = s.Read(ctx, func(tx driver.Tx) error {
		all := q
		all.Where = slices.DeleteFunc(slices.Clone(q.Where), func(c driver.Condition) bool {
			_, isText := c.Value.(string)
			return isText && c.Op == driver.Contains
		})
		for i, row := range s.find(all) {
			if q.Examine > 0 && i == q.Examine {
				return nil
			}
			if examined = row.Place; !q.Table.Meets(row, q.Where) {
				continue
			}
			if q.With != nil {
				row.With = s.kinds[q.With.Kind][strings.Join(row.Key, "/")].Raw
			}
			if more, err := visit(tx, row); err != nil || !more {
				examined = ""
				return err
			}
		}
		examined = ""
		return nil
	})
	return examined, err
}

// CountFound implements [driver.Driver].
func (s *Store) CountFound(ctx context.Context, q driver.Query) (n int, err error) {
	err = s.Read(ctx, func(driver.Tx) error { n = len(s.find(q)); return nil })
	return min(n, cmp.Or(q.Limit, n)), err
}

// Due implements [driver.Driver].
func (s *Store) Due(ctx context.Context, q driver.DueQuery) (due []driver.Row, next time.Time, err error) {
	order := driver.Query{Table: q.Table, Index: q.Index}
	last := record.EncodeTime(q.Now)
	err = s.Read(ctx, func(tx driver.Tx) (err error) {
		wanted, partition := 0, []string(nil) // -1 of the partition: it has no room
		for _, row := range s.find(order) {
			parts := partsOf(order, row)
			if !slices.Equal(partition, parts[:q.Index.Partition]) {
				partition = parts[:q.Index.Partition]
				room, err := q.Room(tx, partition)
				if wanted = min(room, q.Limit); room <= 0 {
					wanted = -1
				}
				if err != nil {
					return err
				}
			}
			switch {
			case wanted < 0:
			case parts[q.Index.Partition] > last:
				next = record.EarliestTime(next, record.DecodeTime(parts[q.Index.Partition]))
			case wanted > 0 && (q.Skip == nil || !q.Skip(row.Key)):
				if row.Record, row.Columns, err = q.Table.Decode(row.Raw); err != nil {
					return err
				}
				due, wanted = append(due, row), wanted-1
			}
		}
		return nil
	})
	return due, next, err
}
