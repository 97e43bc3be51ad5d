package admin_test

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/badger"
)

// failingDumpStore is a store whose dump fails.
type failingDumpStore struct{ store.Store }

func (failingDumpStore) WriteBackup(context.Context, io.Writer) error {
	return store.Errorf(store.CodeConflict, "a dump is being made already; wait for it")
}

// TestBackupRefused checks that the client gets the reason why the running appliance makes no dump.
func TestBackupRefused(t *testing.T) {
	t.Parallel()
	cfg := newConfig(filepath.Join(t.TempDir(), "data"))
	s, err := badger.OpenStore(cfg.DatabaseFolder(), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	listener, err := admin.ListenSocket(cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := auth.LoadSecret(cfg.SecretPath(), true)
	if err != nil {
		t.Fatal(err)
	}
	local := admin.NewLocal(auth.NewKeyVerifier(s, secret, time.Now, slog.New(slog.DiscardHandler)), failingDumpStore{s})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- admin.ServeSocket(ctx, listener, admin.NewHandler(local)) }()
	a, err := admin.OpenAdmin(t.Context(), cfg, false)
	if err != nil {
		t.Fatal(err)
	}
	var dump strings.Builder
	err = a.WriteBackup(t.Context(), &dump)
	if store.CodeOf(err) != store.CodeConflict || !strings.Contains(err.Error(), "wait for it") || dump.Len() > 0 {
		t.Errorf("refused with %v (%s), and a dump of %d bytes", err, store.CodeOf(err), dump.Len())
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
