// Package database opens the store that the settings name: the embedded database in the data folder, or a PostgreSQL
// database that several appliances share. Only this package of the appliance imports both.
package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	"github.com/google/uuid"

	"munadi/appliance/config"
	"munadi/appliance/installation"
	"munadi/store"
	"munadi/store/badger"
	"munadi/store/postgres"
)

// Database is an open store. One of Embedded and Shared is nil.
type Database struct {
	store.Store
	Embedded *badger.BadgerStore
	Shared   *postgres.PostgresStore

	unlock func() // unlocks the data folder of an appliance with a shared database
}

// OpenOptions configures an opening.
type OpenOptions struct {
	Logger        *slog.Logger
	BeforeUpgrade func(u badger.FormatUpgrade) error // of the embedded database
	// Appliance means that an appliance runs on it: it locks the data folder and owns the calls and jobs that it starts.
	// Commands leave it false.
	Appliance bool
	// Flag is the flag that the URL comes from, for errors; empty: the setting store.
	Flag string
}

// openTimeout bounds how long a start waits for a shared database.
const openTimeout = time.Minute

// IsShared reports whether the settings name a database that appliances share.
func IsShared(cfg *config.Config) bool { return cfg.Store != "badger" }

// OpenDatabase opens the store of the settings.
func OpenDatabase(ctx context.Context, cfg *config.Config, opt OpenOptions) (*Database, error) {
	if IsShared(cfg) {
		return openShared(ctx, cfg, opt)
	}
	if err := errors.Join(installation.CheckDatabase(cfg.Data, cfg.DatabaseFolder()), checkMigrated(cfg)); err != nil {
		return nil, err
	}
	s, err := badger.OpenStore(cfg.DatabaseFolder(), badger.OpenOptions{
		Logger: opt.Logger, KeyFile: cfg.DatabaseKey, BeforeUpgrade: opt.BeforeUpgrade, Ballast: opt.Appliance,
	})
	if err != nil {
		return nil, err
	}
	return &Database{Store: s, Embedded: s}, nil
}

// openShared opens the PostgreSQL database of the settings.
func openShared(ctx context.Context, cfg *config.Config, opt OpenOptions) (*Database, error) {
	options := postgres.OpenOptions{Logger: opt.Logger, SharesUploads: cfg.KeepsElsewhere()}
	db := &Database{unlock: func() {}}
	if opt.Appliance {
		folder := filepath.Join(cfg.Data, "appliance")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		unlock, err := badger.LockDatabase(folder)
		if err != nil {
			return nil, err
		}
		db.unlock, options.NeedsLease = unlock, true
		if options.Appliance, err = applianceID(folder); err != nil {
			unlock()
			return nil, err
		}
		if !cfg.ServesCalls() { // so that others take over the calls and campaigns that it had in another role
			options.Appliance += "-stt"
		}
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	s, err := postgres.OpenStore(ctx, cfg.Store, options)
	if err != nil {
		db.unlock()
		return nil, fmt.Errorf("the database of %s: %w", cmp.Or(opt.Flag, "--store (MUNADI_STORE)"), err)
	}
	db.Store, db.Shared = s, s
	return db, nil
}

// applianceID reads the id of the appliance of a data folder; the first start creates it.
func applianceID(folder string) (string, error) {
	path := filepath.Join(folder, "id")
	content, err := os.ReadFile(path)
	if id := strings.TrimSpace(string(content)); err == nil && uuid.Validate(id) == nil {
		return id, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the appliance's id: %w", err)
	}
	id := uuid.NewString()
	if err := renameio.WriteFile(path, []byte(id+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("write the appliance's id: %w", err)
	}
	return id, nil
}

// Close closes the store.
func (d *Database) Close() error {
	err := d.Store.Close()
	if d.unlock != nil {
		d.unlock()
		d.unlock = nil
	}
	return err
}

// LostTransactions returns how many acknowledged changes of the embedded database were lost to a damaged disk.
func (d *Database) LostTransactions() uint64 {
	if d.Embedded == nil {
		return 0
	}
	return d.Embedded.LostTransactions()
}

// pingTimeout bounds how long a shared database may take to answer a probe.
const pingTimeout = 2 * time.Second

// CheckWritable returns why the database is not writable; nil if it is.
func (d *Database) CheckWritable(ctx context.Context) error {
	if d.Embedded != nil {
		return d.Embedded.CheckWritable()
	}
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	return d.Shared.Ping(ctx)
}

// QueryEmbedded reads from the embedded database, as the watchdog's probe. It does not query a shared one: a restart
// would not help if that is unavailable.
func (d *Database) QueryEmbedded(ctx context.Context) error {
	if d.Embedded == nil {
		return nil
	}
	_, err := d.ListOrganizations(ctx)
	return err
}
