package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"munadi/store"
)

const (
	// maxBody is the request body size limit, in bytes.
	maxBody = 64 << 10
	// headerTimeout is the timeout for a request's headers.
	headerTimeout = 5 * time.Second
	// shutdownTimeout is the graceful shutdown timeout for running requests.
	shutdownTimeout = 5 * time.Second
)

// newKeyRequest is the body of POST /keys.
type newKeyRequest struct {
	OrgID  string   `json:"org"`
	Name   string   `json:"name"`
	Scopes []string `json:"scopes"`
}

// newKeyAnswer is the response of POST /keys.
type newKeyAnswer struct {
	Key   KeyView `json:"key"`
	Plain string  `json:"plain"`
}

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

// NewHandler serves a over HTTP:
//
//	POST /keys             newKeyRequest → 201 newKeyAnswer
//	GET  /keys?org=ORG     → 200 list of KeyView
//	POST /keys/ID/revoke   → 200 KeyView
//	POST /organizations    account.Organization → 201 account.Organization
//	GET  /organizations    → 200 list of account.Organization
//	POST /users            userRequest → 200 UserView
//	GET  /users?org=ORG    → 200 list of UserView
//	POST /users/password   userRequest → 200 UserView
//	GET  /backup           → 200 snapshot of the database
//	GET  /audit/verification → 200 list of AuditReport
//
// A failure is answered with the store's code and message.
func NewHandler(a *LocalAdmin) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /keys", func(w http.ResponseWriter, r *http.Request) {
		var wanted newKeyRequest
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&wanted); err != nil {
			writeAnswer(w, 0, nil, store.Errorf(store.CodeInvalid, "the request is not JSON: %v", err))
			return
		}
		key, plain, err := a.CreateKey(r.Context(), wanted.OrgID, wanted.Name, wanted.Scopes)
		writeAnswer(w, http.StatusCreated, newKeyAnswer{key, plain}, err)
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, r *http.Request) {
		keys, err := a.ListKeys(r.Context(), r.URL.Query().Get("org"))
		writeAnswer(w, http.StatusOK, keys, err)
	})
	mux.HandleFunc("POST /keys/{id}/revoke", func(w http.ResponseWriter, r *http.Request) {
		key, err := a.RevokeKey(r.Context(), r.PathValue("id"))
		writeAnswer(w, http.StatusOK, key, err)
	})
	serveOrganizations(mux, a)
	serveUsers(mux, a)
	serveBackup(mux, a)
	serveAudit(mux, a)
	return mux
}

// writeAnswer writes a success, or err.
func writeAnswer(w http.ResponseWriter, status int, body any, err error) {
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
