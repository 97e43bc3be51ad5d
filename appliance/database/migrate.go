package database

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"munadi/appliance/config"
	"munadi/store"
	"munadi/store/badger"
	"munadi/store/dump"
	"munadi/store/postgres"
)

// MigrationReport counts the migrated records by kind.
type MigrationReport struct{ Records dump.RecordCounts }

// MigrateStore copies all records from one database to another, then reads both and compares them. Each of from and to
// is "badger", the embedded database of the settings' data folder, or a PostgreSQL URL. The source stays as it was. No
// appliance may run on either. An interrupted migration to PostgreSQL is continued by the same call; one to the
// embedded database starts again. [store.CodeCorrupt] if records of the source cannot be read: all others are migrated.
func MigrateStore(ctx context.Context, cfg *config.Config, from, to string) (report MigrationReport, err error) {
	if (from == "badger") == (to == "badger") {
		return report, store.Errorf(store.CodeInvalid, "one of --from and --to must be badger, the other postgres://…")
	}
	source, err := openSource(ctx, cfg, from)
	if err != nil {
		return report, fmt.Errorf("open the database to migrate from: %w", err)
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	var target store.Store
	if to == "badger" {
		target, err = moveToFolder(ctx, cfg, source)
	} else {
		target, err = moveToServer(ctx, cfg, source, to)
	}
	if err != nil {
		return report, fmt.Errorf("migrate: %w", err)
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	report.Records, err = compareStores(ctx, source, target)
	return report, err
}

// withStore is the settings with another store.
func withStore(cfg *config.Config, url string) *config.Config {
	other := *cfg
	other.Store = url
	return &other
}

// openSource opens the database to migrate from, which no appliance may have open.
func openSource(ctx context.Context, cfg *config.Config, from string) (*Database, error) {
	if from != "badger" {
		s, err := OpenDatabase(ctx, withStore(cfg, from), OpenOptions{Flag: "--from"})
		if err == nil {
			if err = errors.Join(s.Shared.CheckUnused(ctx), s.Shared.CheckComplete(ctx)); err == nil {
				return s, nil
			}
			_ = s.Close() // the first error is the one to report
		}
		return nil, err
	}
	if _, err := os.Stat(cfg.DatabaseFolder()); err != nil {
		return nil, store.Errorf(store.CodeNotFound, "there is no database in %s (is --data right?)", cfg.Data)
	}
	refuse := func(badger.FormatUpgrade) error {
		return store.Errorf(store.CodeFormat, "start this version once with --store badger: it upgrades the database")
	}
	s, err := OpenDatabase(ctx, withStore(cfg, "badger"), OpenOptions{BeforeUpgrade: refuse})
	if store.CodeOf(err) == store.CodeInUse {
		err = fmt.Errorf("stop its appliance first: %w", err)
	}
	return s, err
}

// moveToServer copies a store into a PostgreSQL database; its rows are owned by the data folder's appliance.
func moveToServer(ctx context.Context, cfg *config.Config, source store.Store, to string) (store.Store, error) {
	target, err := openShared(ctx, withStore(cfg, to), OpenOptions{Appliance: true, Flag: "--to"})
	if err != nil {
		return nil, err
	}
	err = pipeDump(ctx, source, func(r io.Reader) error {
		_, err := target.Shared.ImportDump(ctx, r)
		return err
	})
	if err != nil && !dump.IsIncomplete(err) {
		return nil, errors.Join(err, target.Close())
	}
	return target, nil
}

// moveToFolder copies a store into a new embedded database of the data folder.
func moveToFolder(ctx context.Context, cfg *config.Config, source store.Store) (store.Store, error) {
	folder, opt := cfg.DatabaseFolder(), badger.OpenOptions{KeyFile: cfg.DatabaseKey}
	if there, err := os.ReadDir(folder); err == nil && len(there) > 0 {
		return nil, store.Errorf(store.CodeConflict, "%s holds a database already: use another data folder", folder)
	}
	partial := partialFolder(cfg)
	if err := errors.Join(os.MkdirAll(filepath.Dir(folder), 0o700), os.RemoveAll(partial)); err != nil {
		return nil, err
	}
	err := pipeDump(ctx, source, func(r io.Reader) error {
		_, err := badger.RestoreDump(partial, r, opt)
		return err
	})
	if err == nil {
		_ = os.Remove(folder) // an empty one
		err = os.Rename(partial, folder)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(partial))
	}
	return badger.OpenStore(folder, opt)
}

// partialFolder is where a migration writes the embedded database; a complete one is renamed.
func partialFolder(cfg *config.Config) string { return cfg.DatabaseFolder() + ".migrating" }

// checkMigrated refuses a data folder in which a migration to the embedded database was interrupted: a start would make
// an empty database there.
func checkMigrated(cfg *config.Config) error {
	if there, err := os.ReadDir(cfg.DatabaseFolder()); err == nil && len(there) > 0 {
		return nil
	}
	if _, err := os.Stat(partialFolder(cfg)); err != nil {
		return nil //nolint:nilerr // there is none
	}
	return store.Errorf(store.CodeConflict, "a migration into %s is unfinished: run the same munadi store migrate again, "+
		"or remove %s to start without its data", cfg.Data, partialFolder(cfg))
}

// pipeDump passes a dump of a store to read while it is being written.
func pipeDump(ctx context.Context, s store.Store, read func(io.Reader) error) error {
	from, to := io.Pipe()
	written := make(chan error, 1)
	go func() {
		err := s.WriteBackup(ctx, to)
		_ = to.CloseWithError(err) // nil means io.EOF
		written <- err
	}()
	err := read(from)
	_ = from.CloseWithError(err) // ends a writer that is still running
	if wrote := <-written; err == nil {
		err = wrote
	}
	return err
}

// kindDigest is the number of records of a kind, and a sum over their keys and contents.
type kindDigest struct {
	count uint64
	sum   [sha256.Size]byte
}

// digestStore reads all records of a store.
func digestStore(ctx context.Context, s store.Store) (map[string]*kindDigest, error) {
	all := map[string]*kindDigest{}
	err := pipeDump(ctx, s, func(r io.Reader) error {
		_, err := dump.ReadDump(r, func(key, value []byte) error {
			kind, _, _ := strings.Cut(string(key), "/")
			value, copied, err := postgres.NormalizeRecord(kind, value)
			if err != nil || !copied {
				return err
			}
			if all[kind] == nil {
				all[kind] = &kindDigest{}
			}
			all[kind].count++
			one := sha256.Sum256(append(append(slices.Clone(key), 0), value...))
			for i := range one {
				all[kind].sum[i] ^= one[i]
			}
			return nil
		})
		return err
	})
	return all, err
}

// compareStores reads two stores and returns the counts of their records. If they differ, the error names the kinds of
// records; if they are the same, but records of the first are damaged, the missing records.
func compareStores(ctx context.Context, a, b store.Store) (dump.RecordCounts, error) {
	first, missing := digestStore(ctx, a)
	if missing != nil && !dump.IsIncomplete(missing) {
		return nil, fmt.Errorf("read the source again: %w", missing)
	}
	second, err := digestStore(ctx, b)
	if err != nil {
		return nil, fmt.Errorf("read the target: %w", err)
	}
	counts, differ := dump.RecordCounts{}, []string{}
	kinds := maps.Clone(first)
	maps.Copy(kinds, second)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		x, y := first[kind], second[kind]
		switch {
		case x == nil, y == nil, *x != *y:
			differ = append(differ, kind)
		default:
			counts[kind] = x.count
		}
	}
	if len(differ) > 0 {
		return counts, store.Errorf(store.CodeCorrupt, "source and target differ in these kinds of records: %s",
			strings.Join(differ, ", "))
	}
	if missing != nil {
		return counts, store.Errorf(store.CodeCorrupt, "the source is damaged; the target holds what can be read of it: %v",
			missing)
	}
	return counts, nil
}
