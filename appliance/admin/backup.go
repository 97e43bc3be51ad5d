package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"munadi/appliance/config"
)

// WriteBackup implements [AdminService].
func (l *LocalAdmin) WriteBackup(ctx context.Context, w io.Writer) error {
	return l.store.WriteBackup(ctx, w)
}

// WriteBackup implements [AdminService]. It streams the appliance's snapshot; a truncated one lacks its end marker,
// which its reader detects.
func (r *remoteAdmin) WriteBackup(ctx context.Context, w io.Writer) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://appliance/backup", nil)
	if err != nil {
		return fmt.Errorf("call the appliance: %w", err)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return fmt.Errorf("call the appliance: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return decodeRefusal(response.Status, json.NewDecoder(io.LimitReader(response.Body, maxAnswer)))
	}
	_, err = io.Copy(w, response.Body)
	return err
}

// serveBackup adds GET /backup → 200 with a snapshot. An error after the first byte truncates it.
func serveBackup(mux *http.ServeMux, a *LocalAdmin) {
	mux.HandleFunc("GET /backup", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		begun := &writeTracker{Writer: w}
		if err := a.WriteBackup(r.Context(), begun); err != nil && !begun.yes {
			writeAnswer(w, 0, nil, err)
		}
	})
}

// backupEncryption is the response of GET /backup/encryption.
type backupEncryption struct {
	Passphrase bool `json:"passphrase"` // nightly backups are encrypted with the appliance's passphrase
}

// serveBackupEncryption adds GET /backup/encryption → 200 backupEncryption.
func serveBackupEncryption(mux *http.ServeMux, settings func() *config.Config) {
	mux.HandleFunc("GET /backup/encryption", func(w http.ResponseWriter, _ *http.Request) {
		writeAnswer(w, http.StatusOK, backupEncryption{settings().BackupPassphrase != ""}, nil)
	})
}

// NeedsPassphrase reports whether the appliance on a data folder encrypts its nightly backups with a passphrase, which
// only its own environment may hold. It is false when none runs there, or an older version that does not say.
func NeedsPassphrase(ctx context.Context, dir string) bool {
	var found backupEncryption
	_, err := askRunning(ctx, dir, "/backup/encryption", &found)
	return err == nil && found.Passphrase
}

// writeTracker records whether anything was written.
type writeTracker struct {
	io.Writer
	yes bool
}

// Write implements io.Writer.
func (b *writeTracker) Write(p []byte) (int, error) {
	b.yes = true
	return b.Writer.Write(p)
}
