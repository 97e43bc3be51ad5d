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
	"munadi/appliance/database"
	"munadi/appliance/installation"
	"munadi/appliance/models"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
)

const (
	// startTimeout is how long to wait for an appliance that has the database open, but does not answer yet: it opens
	// the database first and its socket right after.
	startTimeout = 3 * time.Second
	// retryInterval is the interval between two attempts.
	retryInterval = 50 * time.Millisecond
)

// OpenAdmin connects to the running appliance of cfg's data folder, or opens its database when none runs. With
// create, a missing folder and database are created, with the organization default in it; without, that is an error.
// The appliance's first start (bootstrap) is not affected.
func OpenAdmin(ctx context.Context, cfg *config.Config, create bool) (AdminService, error) {
	if running, ok := connectRunning(ctx, cfg.Data); ok {
		return running, nil
	}
	_, err := os.Stat(cfg.DatabaseFolder())
	if !database.IsShared(cfg) && errors.Is(err, fs.ErrNotExist) && !create {
		return AdminService{}, store.Errorf(store.CodeNotFound, "there is no database in %s (is --data right?)", cfg.Data)
	}
	local, err := openLocal(ctx, cfg)
	if store.CodeOf(err) == store.CodeInUse {
		return awaitDatabase(ctx, cfg.Data, err)
	}
	return local, err
}

// awaitDatabase retries until the process that has the database open answers.
func awaitDatabase(ctx context.Context, dir string, inUse error) (AdminService, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	ticker := time.NewTicker(retryInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return AdminService{}, fmt.Errorf("%w, but no appliance answers on its socket %s", inUse, socketPath(dir))
		case <-ticker.C:
			if running, ok := connectRunning(ctx, dir); ok {
				return running, nil
			}
		}
	}
}

// openLocal opens the database itself.
func openLocal(ctx context.Context, cfg *config.Config) (AdminService, error) {
	s, err := database.OpenDatabase(ctx, cfg, database.OpenOptions{BeforeUpgrade: refuseUpgrade})
	if err != nil {
		return AdminService{}, err
	}
	local, err := newOfflineAdmin(ctx, cfg, s)
	if err != nil {
		return AdminService{}, errors.Join(err, s.Close())
	}
	return AdminService{local: local}, nil
}

// refuseUpgrade leaves the migration of an older database to the appliance, which backs it up first.
func refuseUpgrade(badger.FormatUpgrade) error {
	return store.Errorf(store.CodeFormat, "start the appliance once: it makes a backup and upgrades the database")
}

// newOfflineAdmin returns a LocalAdmin whose Close closes the store.
func newOfflineAdmin(ctx context.Context, cfg *config.Config, s store.Store) (*LocalAdmin, error) {
	parts := installation.InstallationParts{Data: cfg.Data, SecretFile: cfg.SecretPath()}
	joined, err := installation.JoinInstallation(ctx, s, parts, time.Now())
	if err != nil {
		return nil, err
	}
	s.UseAuditKey(joined.Secret.AuditKey())
	first := account.Organization{ID: account.Default, Name: "Default", CreatedAt: time.Now().UTC()}
	if err := s.CreateOrganization(ctx, first, actor); err != nil && store.CodeOf(err) != store.CodeConflict {
		return nil, err
	}
	local := NewLocal(auth.NewKeyVerifier(s, joined.Secret, time.Now, slog.New(slog.DiscardHandler)), s)
	local.accounts.KnowDirectory(cfg.LDAPIssuer()) // passwords of its people are not set here
	local.close, local.models = s.Close, models.OpenFolder(cfg.Data).InstalledNames
	local.recordings = func() (service.RecordingFiles, error) { return openRecordings(cfg) }
	return local, nil
}
