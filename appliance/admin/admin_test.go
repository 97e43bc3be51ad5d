package admin_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/auth"
	"munadi/appliance/config"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/memory"
)

// newConfig returns the configuration of a data folder, which need not exist.
func newConfig(data string) *config.Config {
	cfg := config.Default()
	cfg.Data = data
	return cfg
}

// startAdminServer starts the administration server of an appliance on a data folder. It returns the key verifier and a
// function that stops it.
func startAdminServer(t *testing.T, cfg *config.Config) (*auth.KeyVerifier, func()) {
	t.Helper()
	s, err := badger.OpenStore(cfg.DatabaseFolder(), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	secret, err := auth.LoadSecret(cfg.SecretPath(), true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := auth.BootstrapOrganization(t.Context(), s, secret, "", time.Now()); err != nil {
		t.Fatal(err)
	}
	a := auth.NewKeyVerifier(s, secret, time.Now, slog.New(slog.DiscardHandler))
	listener, err := admin.ListenSocket(cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- admin.ServeSocket(ctx, listener, admin.NewHandler(admin.NewLocal(a, s))) }()
	return a, func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestAdministrationWithAndWithoutAppliance checks that administration has the same results in the database itself and
// in a running appliance.
func TestAdministrationWithAndWithoutAppliance(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]bool{"database": false, "appliance": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := newConfig(filepath.Join(t.TempDir(), "data"))
			if run {
				_, stop := startAdminServer(t, cfg)
				defer stop()
			}
			a, err := admin.OpenAdmin(t.Context(), cfg, true)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := a.Close(); err != nil {
					t.Error(err)
				}
			}()
			lifeOfAKey(t, a)
			checkErrorCodes(t, a)
		})
	}
}

// lifeOfAKey creates, lists and revokes a key.
func lifeOfAKey(t *testing.T, a admin.AdminService) {
	t.Helper()
	key, plain, err := a.CreateKey(t.Context(), account.Default, "مكتب 1", []string{"calls", "stt"})
	if err != nil || !auth.IsGeneratedKey(plain) || key.Prefix != plain[:12] || account.JoinScopes(key.Scopes) != "stt,calls" {
		t.Fatalf("created %+v, %v", key, err)
	}
	for _, owner := range []string{"", account.Default} {
		keys, err := a.ListKeys(t.Context(), owner)
		if err != nil || len(keys) != 1 || keys[0].ID != key.ID || keys[0].Name != "مكتب 1" || keys[0].RevokedAt != nil {
			t.Errorf("keys of %q: %+v, %v", owner, keys, err)
		}
	}
	if revoked, err := a.RevokeKey(t.Context(), key.ID); err != nil || revoked.RevokedAt == nil || revoked.ID != key.ID {
		t.Errorf("revoked %+v, %v", revoked, err)
	}
}

// checkErrorCodes checks that errors keep their codes over the socket.
func checkErrorCodes(t *testing.T, a admin.AdminService) {
	t.Helper()
	create := func(orgID, name string, scopes ...string) error {
		_, _, err := a.CreateKey(t.Context(), orgID, name, scopes)
		return err
	}
	_, noKeys := a.ListKeys(t.Context(), "nobody")
	_, noKey := a.RevokeKey(t.Context(), "a/b c?")
	for what, c := range map[string]struct {
		err  error
		code store.ErrorCode
		says string
	}{
		"organization": {create("nobody", "x", "stt"), store.CodeNotFound, `"nobody"`},
		"scope":        {create(account.Default, "x", "root"), store.CodeInvalid, `"root"`},
		"no scope":     {create(account.Default, "x"), store.CodeInvalid, "no scope"},
		"name":         {create(account.Default, "a\nb", "stt"), store.CodeInvalid, "name"},
		"list":         {noKeys, store.CodeNotFound, `"nobody"`},
		"revoke":       {noKey, store.CodeNotFound, "no such key"},
	} {
		if store.CodeOf(c.err) != c.code || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s: %v (%s), want %s naming %s", what, c.err, store.CodeOf(c.err), c.code, c.says)
		}
	}
}

// TestRevocationReachesTheAppliance checks that a revoked key is removed from the appliance's cache.
func TestRevocationReachesTheAppliance(t *testing.T) {
	t.Parallel()
	cfg := newConfig(t.TempDir())
	running, stop := startAdminServer(t, cfg)
	defer stop()
	a, err := admin.OpenAdmin(t.Context(), cfg, false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	key, plain, err := a.CreateKey(t.Context(), account.Default, "x", []string{"stt"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := running.VerifyKey(t.Context(), plain); err != nil {
		t.Errorf("the appliance does not know the new key: %v", err)
	}
	if _, err := a.RevokeKey(t.Context(), key.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := running.VerifyKey(t.Context(), plain); err == nil {
		t.Error("the appliance still takes the revoked key")
	}
}

// TestSocket checks that the socket is accessible to its owner only, removed when closed, replaced after a crash, and
// usable with long paths.
func TestSocket(t *testing.T) {
	t.Parallel()
	deep := filepath.Join(t.TempDir(), strings.Repeat("a-long-name/", 20), "data")
	for _, dir := range []string{filepath.Join(t.TempDir(), "data"), deep} {
		cfg := newConfig(dir)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		socket := filepath.Join(dir, "munadi.sock")
		if err := os.WriteFile(socket, nil, 0o600); err != nil { // what a dead appliance left
			t.Fatal(err)
		}
		_, stop := startAdminServer(t, cfg)
		info, err := os.Stat(socket)
		if err != nil || info.Mode().Perm() != 0o600 || info.Mode().Type() != os.ModeSocket {
			t.Errorf("the socket is %v, %v", info.Mode(), err)
		}
		a, err := admin.OpenAdmin(t.Context(), cfg, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.ListKeys(t.Context(), ""); err != nil {
			t.Error(err)
		}
		_ = a.Close()
		stop()
		if _, err := os.Stat(socket); !os.IsNotExist(err) {
			t.Errorf("the socket is still there: %v", err)
		}
		if a, err = admin.OpenAdmin(t.Context(), cfg, false); err != nil {
			t.Fatalf("the appliance has ended: %v", err)
		}
		_ = a.Close()
	}
}

func TestNoDatabase(t *testing.T) {
	t.Parallel()
	cfg := newConfig(filepath.Join(t.TempDir(), "mistyped"))
	_, err := admin.OpenAdmin(t.Context(), cfg, false)
	if store.CodeOf(err) != store.CodeNotFound || !strings.Contains(err.Error(), "mistyped") {
		t.Errorf("Open: %v", err)
	}
	if _, err := os.Stat(cfg.Data); !os.IsNotExist(err) {
		t.Error("looking made a data folder")
	}
}

// TestAdministrationWithoutAnswer checks the error if another process has the database open and does not answer.
func TestAdministrationWithoutAnswer(t *testing.T) {
	t.Parallel()
	cfg := newConfig(t.TempDir())
	s, err := badger.OpenStore(cfg.DatabaseFolder(), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = admin.OpenAdmin(ctx, cfg, true)
	if store.CodeOf(err) != store.CodeInUse || !strings.Contains(err.Error(), "munadi.sock") {
		t.Errorf("Open: %v", err)
	}
}

// TestKeyBeforeFirstStart checks that a key that was created before the first start is valid in the appliance.
func TestKeyBeforeFirstStart(t *testing.T) {
	t.Parallel()
	cfg := newConfig(filepath.Join(t.TempDir(), "data"))
	a, err := admin.OpenAdmin(t.Context(), cfg, true)
	if err != nil {
		t.Fatal(err)
	}
	_, plain, err := a.CreateKey(t.Context(), account.Default, "x", []string{"stt"})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	running, stop := startAdminServer(t, cfg)
	defer stop()
	if _, err := running.VerifyKey(t.Context(), plain); err != nil {
		t.Errorf("the appliance does not know the key: %v", err)
	}
}

func TestHandlerRefusesNonsense(t *testing.T) {
	t.Parallel()
	s := memory.OpenStore()
	defer func() { _ = s.Close() }()
	h := admin.NewHandler(admin.NewLocal(auth.NewKeyVerifier(s, auth.InstallationSecret{}, time.Now, slog.New(slog.DiscardHandler)), s))
	for body, status := range map[string]int{
		"": 422, "{": 422, `{"scopes":"stt"}`: 422, `{"name":"x","org":"o","scopes":["stt"]}`: 404,
		`{"name":"` + strings.Repeat("x", 100_000) + `"}`: 422,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/keys", strings.NewReader(body)))
		var why struct{ Code, Message string }
		if err := json.Unmarshal(w.Body.Bytes(), &why); w.Code != status || err != nil || why.Message == "" {
			t.Errorf("%.40q: %d %s", body, w.Code, w.Body)
		}
	}
}

func TestListenWhereItCannot(t *testing.T) {
	t.Parallel()
	if l, err := admin.ListenSocket(filepath.Join(t.TempDir(), "missing")); err == nil {
		_ = l.Close()
		t.Error("listened in no folder")
	}
}
