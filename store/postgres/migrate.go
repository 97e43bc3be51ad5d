package postgres

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"munadi/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// oldestServer is the first PostgreSQL version that is supported, as server_version_num.
const oldestServer = 150000

// migrateTables migrates the tables to this version's schema, under a lock: appliances that start together run one
// after the other.
func migrateTables(ctx context.Context, pool *pgxpool.Pool) error {
	var version, lockID int64
	err := pool.QueryRow(ctx, "SELECT current_setting('server_version_num')::bigint, hashtext(current_schema())").
		Scan(&version, &lockID)
	if err != nil {
		return err
	}
	if version < oldestServer {
		return store.Errorf(store.CodeFormat, "the server is PostgreSQL %d; version 15 or newer is needed", version/10000)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	locker, err := lock.NewPostgresSessionLocker(
		lock.WithLockID(lockID), lock.WithLockTimeout(1, 300), lock.WithUnlockTimeout(1, 30))
	if err != nil {
		return err
	}
	db := stdlib.OpenDBFromPool(pool)
	defer func() { _ = db.Close() }() // the pool stays open
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker))
	if err != nil {
		return err
	}
	if err := checkVersion(ctx, provider); err != nil {
		return err
	}
	if _, err = provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate the tables: %w", err)
	}
	return nil
}

// checkVersion refuses a database that a newer version of munadi has migrated.
func checkVersion(ctx context.Context, provider *goose.Provider) error {
	current, newest, err := provider.GetVersions(ctx)
	if err != nil || current <= newest {
		return err
	}
	return store.Errorf(store.CodeFormat,
		"the database has schema version %d of a newer munadi; this one supports up to %d: use the newer one",
		current, newest)
}

// hasParameter reports whether a connection string, as URL or as key=value pairs, sets a parameter.
func hasParameter(connection, name string) bool {
	u, err := url.Parse(connection)
	if err == nil && u.Scheme != "" {
		return u.Query().Has(name)
	}
	return strings.Contains(connection, name+"=")
}
