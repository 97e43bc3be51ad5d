package admin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/config"
	"munadi/appliance/installation"
	"munadi/store"
	"munadi/store/badger"
	"munadi/store/org"
)

const (
	// answerWithin is how long an appliance that has the database open, but does not answer yet, is waited for: it
	// opens the database first and its socket right after.
	answerWithin = 3 * time.Second
	// askEvery is the time between two attempts.
	askEvery = 50 * time.Millisecond
)

// Open is the running appliance of cfg's data folder, or its database when none runs. With create, the folder and the
// database are made where there is none, with the organization default in it; without, that is an error. The first
// start of the appliance is still to come then.
func Open(ctx context.Context, cfg *config.Config, create bool) (Admin, error) {
	if running, ok := connect(ctx, cfg.Data); ok {
		return running, nil
	}
	if _, err := os.Stat(cfg.Database()); errors.Is(err, fs.ErrNotExist) && !create {
		return nil, store.Errorf(store.CodeNotFound, "there is no database in %s (is --data right?)", cfg.Data)
	}
	local, err := openLocal(ctx, cfg)
	if store.CodeOf(err) == store.CodeInUse {
		return await(ctx, cfg.Data, err)
	}
	return local, err
}

// await asks again until the process that has the database open answers.
func await(ctx context.Context, dir string, inUse error) (Admin, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	ticker := time.NewTicker(askEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w, and nothing answers on %s", inUse, path(dir))
		case <-ticker.C:
			if running, ok := connect(ctx, dir); ok {
				return running, nil
			}
		}
	}
}

// openLocal opens the database itself. A nil *Local must not become an Admin that is not nil, hence the interface.
func openLocal(ctx context.Context, cfg *config.Config) (Admin, error) {
	if err := installation.CheckDatabase(cfg.Data, cfg.Database()); err != nil {
		return nil, err
	}
	s, err := badger.Open(cfg.Database(), badger.Options{KeyFile: cfg.DatabaseKey, BeforeUpgrade: refuseUpgrade})
	if err != nil {
		return nil, err
	}
	local, err := newOwner(ctx, cfg, s)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return local, nil
}

// refuseUpgrade leaves an older database to the appliance, which backs it up before it changes it.
func refuseUpgrade(badger.Upgrade) error {
	return store.Errorf(store.CodeFormat, "start the appliance once: it makes a backup and upgrades it then")
}

// newOwner is a Local that closes the store.
func newOwner(ctx context.Context, cfg *config.Config, s store.Store) (*Local, error) {
	parts := installation.Parts{Data: cfg.Data, SecretFile: cfg.Secret()}
	joined, err := installation.Join(ctx, s, parts, time.Now())
	if err != nil {
		return nil, err
	}
	first := org.Organization{ID: org.Default, Name: "Default", CreatedAt: time.Now().UTC()}
	if err := s.CreateOrganization(ctx, first); err != nil && store.CodeOf(err) != store.CodeConflict {
		return nil, err
	}
	local := NewLocal(auth.New(s, joined.Secret, time.Now, slog.New(slog.DiscardHandler)), s)
	local.close = s.Close
	return local, nil
}
