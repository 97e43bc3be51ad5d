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
	// maxBody is the size of a request at most.
	maxBody = 64 << 10
	// headerTimeout is for a request's header to arrive.
	headerTimeout = 5 * time.Second
	// shutdownTimeout is for the last requests to end.
	shutdownTimeout = 5 * time.Second
)

// newKeyRequest is the body of POST /keys.
type newKeyRequest struct {
	OrgID  string   `json:"org"`
	Name   string   `json:"name"`
	Scopes []string `json:"scopes"`
}

// newKeyAnswer is its answer.
type newKeyAnswer struct {
	Key   KeyView `json:"key"`
	Plain string  `json:"plain"`
}

// failureBody is the body of an answer that is no success.
type failureBody struct {
	Code    store.ErrorCode `json:"code"`
	Message string          `json:"message"`
}

// ServeSocket answers on listener with h until ctx ends, then lets running requests end, or cuts them off after a while, and
// closes the listener.
func ServeSocket(ctx context.Context, listener net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: headerTimeout}
	ended := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		err := server.Shutdown(last)
		if err != nil { // a backup that is still being read, most likely: its reader sees that it breaks off
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

// NewHandler is a's work over HTTP:
//
//	POST /keys             newKeyRequest → 201 newKeyAnswer
//	GET  /keys?org=ORG     → 200 list of Key
//	POST /keys/ID/revoke   → 200 Key
//	POST /organizations    org.Organization → 201 org.Organization
//	GET  /organizations    → 200 list of org.Organization
//	POST /users            userRequest → 200 User
//	GET  /users?org=ORG    → 200 list of User
//	POST /users/password   userRequest → 200 User
//	GET  /backup           → 200 dump of the database
//
// and for what fails the store's code and message.
func NewHandler(a *LocalAdmin) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /keys", func(w http.ResponseWriter, r *http.Request) {
		var wanted newKeyRequest
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&wanted); err != nil {
			writeAnswer(w, 0, nil, store.Errorf(store.CodeInvalid, "the request is no JSON: %v", err))
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
	_ = json.NewEncoder(w).Encode(body) // a client that has gone needs no answer
}

// statusOf is the HTTP status for a code.
func statusOf(code store.ErrorCode) int {
	switch code {
	case store.CodeNotFound:
		return http.StatusNotFound
	case store.CodeConflict:
		return http.StatusConflict
	case store.CodeInvalid, store.CodeTooLarge:
		return http.StatusUnprocessableEntity
	case store.CodeClosed, store.CodeNoRoom:
		return http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError
	}
}
