package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"munadi/store"
)

const (
	headerTimeout   = 5 * time.Second // for a request's headers
	shutdownTimeout = 5 * time.Second // for running requests
)

// failureBody is the body of an error response.
type failureBody struct {
	Code    store.ErrorCode `json:"code"`
	Message string          `json:"message"`
}

// ServeSocket serves h on listener until ctx ends, then shuts down gracefully, or closes connections after
// shutdownTimeout, and closes the listener.
func ServeSocket(ctx context.Context, listener net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: headerTimeout}
	ended := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		err := server.Shutdown(last)
		if err != nil { // most likely a backup in progress, whose reader detects the truncation
			err = server.Close()
		}
		ended <- err
	})
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("administration socket: %w", err)
	}
	return <-ended
}

// NewHandler serves the operations on the database over HTTP, and its snapshot as GET /backup.
func NewHandler(a *LocalAdmin) http.Handler {
	mux := http.NewServeMux()
	onDatabase.mount(mux, a)
	mux.HandleFunc("GET /backup", a.serveBackup)
	mux.HandleFunc("GET /audit/export", a.serveAudit)
	mux.HandleFunc("GET /people/export", a.servePerson)
	return mux
}

// WithProcess adds the operations on a running appliance to h.
func WithProcess(h http.Handler, p ProcessControl) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", h)
	onProcess.mount(mux, p)
	return mux
}

// serveBackup answers with a snapshot.
func (l *LocalAdmin) serveBackup(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	serveFile(r.Context(), w, l.store.WriteBackup)
}

// serveFile answers with what write writes. An error after the first byte breaks the connection.
func serveFile(ctx context.Context, w http.ResponseWriter, write func(context.Context, io.Writer) error) {
	begun := &writeTracker{Writer: w}
	err := write(ctx, begun)
	switch {
	case err != nil && begun.yes:
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close() // the reader finds that the last chunk is missing
		}
	case err != nil:
		writeAnswer(w, nil, err)
	}
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

// writeAnswer writes an answer, or err.
func writeAnswer(w http.ResponseWriter, body any, err error) {
	status := http.StatusOK
	if err != nil {
		code := store.CodeOf(err)
		status, body = statusOf(code), failureBody{code, err.Error()}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may have disconnected
}

// statusOf returns the HTTP status of a store error code.
func statusOf(code store.ErrorCode) int {
	switch code {
	case store.CodeNotFound:
		return http.StatusNotFound
	case store.CodeConflict:
		return http.StatusConflict
	case store.CodeInvalid, store.CodeTooLarge:
		return http.StatusUnprocessableEntity
	case store.CodeClosed, store.CodeNoRoom, store.CodeUnavailable:
		return http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError
	}
}

// decodeRefusal decodes an error response into the store's error.
func decodeRefusal(status string, decoder *json.Decoder) error {
	var why failureBody
	if err := decoder.Decode(&why); err != nil || why.Message == "" {
		return fmt.Errorf("the appliance answered %s", status)
	}
	return &store.Error{Code: why.Code, Message: why.Message}
}
