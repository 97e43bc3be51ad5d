package postgres

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// scanChunk is the number of rows that a query without a limit reads at a time.
const scanChunk = 500

// Scan implements [driver.Tx]. Rows are read before their visit, so that visit may use the transaction.
func (e *dbTx) Scan(q driver.Query, visit func(driver.Row) (bool, error)) error {
	if q.Table.Counts != nil {
		return e.scanCounts(q, visit)
	}
	whole := q.Limit == 0
	if whole {
		q.Limit = scanChunk
	}
	for {
		rows, err := e.readChunk(q)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if more, err := visit(row); err != nil || !more {
				return err
			}
		}
		if !whole || len(rows) < q.Limit {
			return nil
		}
		q.After = rows[len(rows)-1].Place
	}
}

// readChunk reads the rows of a query with a limit.
func (e *dbTx) readChunk(q driver.Query) ([]driver.Row, error) {
	where, err := e.conditionsOf(q)
	if err != nil {
		return nil, err
	}
	from := q.Table.Name + where.String() + orderBy(q, placeColumns(q)) + " LIMIT " + where.add(q.Limit)
	if q.Lock {
		from += " FOR UPDATE"
	}
	if q.SkipLocked {
		from += " SKIP LOCKED"
	}
	return e.collectRows(q, from, where.args)
}

// readRow reads a row of the columns key, place, record and companion.
func readRow(q driver.Query, row pgx.CollectableRow) (one driver.Row, err error) {
	values, err := row.Values()
	if err != nil {
		return one, err
	}
	if q.With != nil {
		one.With, _ = values[len(values)-1].([]byte)
		values = values[:len(values)-1]
	}
	var parts []string
	for _, value := range values[:len(values)-1] {
		parts = append(parts, driver.EncodePart(value))
	}
	keys := len(q.Table.Key)
	one.Key, one.Place = parts[:keys], strings.Join(parts[keys:], "/")
	one.Raw, _ = values[len(values)-1].([]byte)
	return one, nil
}

// placeColumns returns the columns of a place in a query's order: the parts that it does not give, and the key.
func placeColumns(q driver.Query) []string {
	order := slices.Clone(q.Parts()[len(q.Equal):])
	for _, name := range q.Table.Key {
		if !slices.Contains(q.Parts(), name) {
			order = append(order, name)
		}
	}
	if len(order) == 0 {
		return q.Table.Key
	}
	return order
}

// orderBy returns the clause of an order.
func orderBy(q driver.Query, order []string) string {
	direction := ""
	if q.Latest {
		direction = " DESC"
	}
	return " ORDER BY " + strings.Join(order, direction+", ") + direction
}

// whereClause are conditions and their arguments.
type whereClause struct {
	conditions []string
	args       []any
}

// add adds an argument and returns its placeholder.
func (w *whereClause) add(arg any) string {
	w.args = append(w.args, arg)
	return fmt.Sprintf("$%d", len(w.args))
}

// String returns the clause.
func (w *whereClause) String() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conditions, " AND ")
}

// addCondition adds a condition on a column.
func (w *whereClause) addCondition(c driver.Condition) {
	add := func(format string, args ...any) { w.conditions = append(w.conditions, fmt.Sprintf(format, args...)) }
	value := c.Value
	switch typed := value.(type) {
	case string:
		value = searchableText(typed)
	case []any:
		texts := make([]string, len(typed))
		for i, one := range typed {
			texts[i] = fmt.Sprint(one)
		}
		value = texts
	}
	compare := map[driver.Operator]string{
		driver.Is: "=", driver.IsNot: "<>", driver.AtLeast: ">=", driver.AtMost: "<=", driver.Below: "<",
	}
	pair, isPair := c.Value.(driver.Pair)
	switch {
	case value == true:
		add("%s", c.Column)
	case value == false:
		add("NOT %s", c.Column)
	case c.Op == driver.Is && value == nil:
		add("%s IS NULL", c.Column)
	case c.Op == driver.OneOf:
		add("%s = ANY (%s)", c.Column, w.add(value))
	case isPair:
		add("%s @> ARRAY[%s::text]", c.Column, w.add(searchableText(pairText(pair))))
	case c.Op == driver.Begins: // the words hold letters and digits only
		prefix := w.add(fmt.Sprintf("'%s':*", value))
		add("%[1]s <> '{}' AND array_to_tsvector(%[1]s) @@ (%[2]s::text)::tsquery", c.Column, prefix)
	case c.Op == driver.Contains:
		add("position(%s in %s) > 0", w.add(value), c.Column)
	case c.Op == driver.Ends:
		tail := w.add(value)
		add("reverse(%[1]s) >= reverse(%[2]s) AND reverse(%[1]s) < reverse(%[2]s) || chr(1114111)", c.Column, tail)
	default:
		add("%s %s %s", c.Column, compare[c.Op], w.add(value))
	}
}

// addConstant adds a condition of an index. Its values are literals, so that a partial index of the same condition
// serves every plan.
func (w *whereClause) addConstant(c driver.Condition) {
	quote := func(value any) string { return "'" + strings.ReplaceAll(fmt.Sprint(value), "'", "''") + "'" }
	switch value := c.Value.(type) {
	case nil:
		w.conditions = append(w.conditions, c.Column+" IS NULL")
	case bool:
		w.conditions = append(w.conditions, map[bool]string{true: "", false: "NOT "}[value]+c.Column)
	case []any:
		all := make([]string, len(value))
		for i, one := range value {
			all[i] = quote(one)
		}
		w.conditions = append(w.conditions, c.Column+" IN ("+strings.Join(all, ", ")+")")
	default:
		w.conditions = append(w.conditions, c.Column+" = "+quote(value))
	}
}

// addIndex adds the conditions of the rows that have an entry in an index.
func (w *whereClause) addIndex(t *driver.Table, index *driver.Index) {
	for _, name := range index.Parts {
		if !slices.Contains(t.Key, name) {
			some := name + " <> ''"
			if slices.Contains(t.Numbers, name) {
				some = name + " IS NOT NULL"
			}
			w.conditions = append(w.conditions, some)
		}
	}
	for _, only := range index.Only {
		w.addConstant(only)
	}
}

// conditionsOf returns the conditions of a query.
func (e *dbTx) conditionsOf(q driver.Query) (*whereClause, error) {
	w := &whereClause{}
	for i, value := range q.Equal {
		w.addCondition(driver.Condition{Column: q.Parts()[i], Value: value})
	}
	if q.Index != nil {
		w.addIndex(q.Table, q.Index)
	}
	for _, condition := range q.Where {
		w.addCondition(condition)
	}
	switch q.Owner {
	case driver.ThisOwner:
		w.conditions = append(w.conditions, "owner = "+w.add(e.appliance))
	case driver.OtherOwner:
		w.conditions = append(w.conditions, "owner <> "+w.add(e.appliance))
	case driver.DeadOwner:
		w.conditions = append(w.conditions, deadOwner(w.add(e.appliance), w.add(e.silent)))
	}
	if q.After == "" {
		return w, nil
	}
	return w, w.addPlace(q)
}

// addPlace adds the condition that rows are behind the place of a query.
func (w *whereClause) addPlace(q driver.Query) error {
	order, behind := placeColumns(q), " > "
	if q.Latest {
		behind = " < "
	}
	parts := strings.SplitN(q.After, "/", len(order))
	var after []string
	for i, part := range parts {
		value, wellFormed := q.Table.DecodePart(order[i], part)
		if !wellFormed || len(parts) < len(order) {
			return store.Errorf(store.CodeInvalid, "this is not a place in the list: %s", q.After)
		}
		after = append(after, w.add(value))
	}
	w.conditions = append(w.conditions, "("+strings.Join(order, ", ")+")"+behind+"("+strings.Join(after, ", ")+")")
	return nil
}

// Tally implements [driver.Tx].
func (e *dbTx) Tally(q driver.Query, part string) (map[string]int, error) {
	where, err := e.conditionsOf(q)
	if err != nil {
		return nil, err
	}
	rows, err := e.query("SELECT "+part+", count(*) FROM "+q.Table.Name+where.String()+" GROUP BY 1", where.args...)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	var value any
	var n int
	_, err = pgx.ForEachRow(rows, []any{&value, &n}, func() error {
		counts[driver.EncodePart(value)] = n
		return nil
	})
	return counts, err
}

// Claim implements [driver.Tx], for the rows of this appliance and those that it shares.
func (e *dbTx) Claim(q driver.Query, turns *driver.Table, now time.Time) (driver.Row, bool, error) {
	where, err := e.conditionsOf(q)
	if err != nil {
		return driver.Row{}, false, err
	}
	where.conditions = append(where.conditions, fmt.Sprintf("(owner = %s OR %s AND %s)",
		where.add(e.appliance), q.Table.SharedBy, where.add(e.store.sharesUploads)))
	order := placeColumns(q)
	turn := "coalesce((SELECT turn.served FROM " + turns.Name + " turn WHERE turn.org = " + q.Table.Name + ".org), -1)"
	sql := "SELECT " + strings.Join(slices.Concat(q.Table.Key, order, []string{"record"}), ", ") + " FROM " +
		q.Table.Name + where.String() + " ORDER BY " + turn + ", " + strings.Join(order, ", ")
	row, found, err := e.lockFirst(q, sql, where.args)
	if err != nil || !found {
		return row, false, err
	}
	if err := e.store.checkLease(e); err != nil {
		return row, false, err
	}
	e.queueWrite("INSERT INTO "+turns.Name+" (org, served) VALUES ($1, $2) ON CONFLICT (org) DO UPDATE SET served = $2",
		row.Key[0], record.UnixNanos(now))
	return row, true, e.Own(q.Table, row.Key)
}

// lockFirst locks and returns the first row of a statement whose record can be decoded.
func (e *dbTx) lockFirst(q driver.Query, sql string, args []any) (row driver.Row, found bool, err error) {
	for passed := 0; ; passed++ {
		rows, err := e.query(fmt.Sprintf("%s LIMIT 1 OFFSET %d FOR UPDATE SKIP LOCKED", sql, passed), args...)
		if err != nil {
			return row, false, err
		}
		row, err = pgx.CollectOneRow(rows, func(row pgx.CollectableRow) (driver.Row, error) { return readRow(q, row) })
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return row, false, nil
		case err != nil || e.isReadable(q.Table, &row):
			return row, err == nil, err
		}
	}
}
