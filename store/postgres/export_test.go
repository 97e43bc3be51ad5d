package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"munadi/store"
)

// RecordKinds returns the kinds of records in JSON that have a table of their own.
func RecordKinds() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(kindTables)), func(kind string) bool {
		table := kindTables[kind]
		_, isRaw := table.NewRecord().(*[]byte)
		return isRaw || len(table.Key) == 0 || table.Counts != nil
	})
}

// WriteRaw replaces the bytes of the record of a dump's key.
func (s *PostgresStore) WriteRaw(ctx context.Context, key string, raw []byte) error {
	kind, rest, _ := strings.Cut(key, "/")
	t := kindTables[kind]
	args, err := t.keyArgs(strings.SplitN(rest, "/", len(t.Key)))
	if err != nil {
		return err
	}
	return s.updateTx(ctx, func(e *dbTx) error {
		sql := fmt.Sprintf("UPDATE %s SET record = $%d %s", t.Name, len(args)+1, t.whereKey)
		n, err := e.execCount(sql, append(args, raw)...)
		if err == nil && n != 1 {
			err = store.Errorf(store.CodeInternal, "%d rows of %s changed", n, key)
		}
		return err
	})
}
