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
		switch table := kindTables[kind].(type) {
		case tableOf[[]byte], turnTable:
			return true
		case declaredTable:
			_, isRaw := table.declared.NewRecord().(*[]byte)
			return isRaw
		}
		return false
	})
}

// WriteRaw replaces the bytes of the record of a dump's key; whole are its bytes in the dump.
func (s *PostgresStore) WriteRaw(ctx context.Context, key string, whole, raw []byte) error {
	kind, rest, _ := strings.Cut(key, "/")
	return kindTables[kind].(interface {
		writeRaw(ctx context.Context, s *PostgresStore, rest string, whole, raw []byte) error
	}).writeRaw(ctx, s, rest, whole, raw)
}

func (t tableOf[T]) writeRaw(ctx context.Context, s *PostgresStore, rest string, whole, raw []byte) error {
	var record T
	if err := decodeRecord(whole, &record); err != nil {
		return err
	}
	args, err := t.importKey(strings.SplitN(rest, "/", t.keyParts()), record)
	if err != nil {
		return err
	}
	return t.updateRaw(ctx, s, rest, args, raw)
}

func (t declaredTable) writeRaw(ctx context.Context, s *PostgresStore, rest string, _, raw []byte) error {
	args, err := keyColumns(t.declared, strings.SplitN(rest, "/", t.keyParts()))
	if err != nil {
		return err
	}
	return t.updateRaw(ctx, s, rest, args, raw)
}

func (t sqlTable) updateRaw(ctx context.Context, s *PostgresStore, rest string, args []any, raw []byte) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		sql := fmt.Sprintf("UPDATE %s SET record = $%d %s", t.name, len(args)+1, t.whereKey())
		n, err := e.execCount(sql, append(args, raw)...)
		if err == nil && n != 1 {
			err = store.Errorf(store.CodeInternal, "%d rows of %s changed", n, t.name+"/"+rest)
		}
		return err
	})
}
