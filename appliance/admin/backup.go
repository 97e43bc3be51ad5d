package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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
