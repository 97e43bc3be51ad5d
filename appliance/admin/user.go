package admin

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/account"
)

// actor is the actor of commands in the audit trail.
const actor = "command line"

// UserView is a console user for display, without the password hash.
type UserView struct {
	ID           string           `json:"id"`
	OrgID        string           `json:"org"`
	Name         string           `json:"name"`
	Role         account.UserRole `json:"role"`
	CreatedAt    time.Time        `json:"created_at"`
	LastSignInAt *time.Time       `json:"last_sign_in_at"`
	DisabledAt   *time.Time       `json:"disabled_at"`
}

// viewUser returns a user without the password hash.
func viewUser(u account.User) UserView {
	return UserView{
		ID: u.ID, OrgID: u.OrgID, Name: u.Name, Role: u.Role,
		CreatedAt: u.CreatedAt, LastSignInAt: u.LastSignInAt, DisabledAt: u.DisabledAt,
	}
}

// CreateUser implements [AdminService].
func (l *LocalAdmin) CreateUser(
	ctx context.Context,
	orgID, name string,
	role account.UserRole,
	password string,
) (UserView, error) {
	u, err := l.accounts.CreateUser(ctx, orgID, name, role, password, actor)
	return viewUser(u), markWeakPassword(err)
}

// ListUsers implements [AdminService].
func (l *LocalAdmin) ListUsers(ctx context.Context, orgID string) ([]UserView, error) {
	all := []UserView{}
	if _, err := l.listOwners(ctx, orgID); err != nil {
		return nil, err
	}
	users, err := l.store.ListUsers(ctx, orgID)
	for _, u := range users {
		all = append(all, viewUser(u))
	}
	return all, err
}

// SetPassword implements [AdminService].
func (l *LocalAdmin) SetPassword(ctx context.Context, name, password string) (UserView, error) {
	u, err := l.store.UserByName(ctx, name)
	if err != nil {
		return UserView{}, err
	}
	return viewUser(u), markWeakPassword(l.accounts.SetPassword(ctx, u, password, actor, nil))
}

// markWeakPassword converts a WeakPassword into a store error with a code, which the socket's protocol can transfer.
func markWeakPassword(err error) error {
	var w *auth.WeakPassword
	if errors.As(err, &w) {
		return store.Errorf(store.CodeInvalid, "%v", w)
	}
	return err
}

// userRequest is the body of POST /users and of POST /users/password.
type userRequest struct {
	OrgID    string           `json:"org"`
	Name     string           `json:"name"`
	Role     account.UserRole `json:"role"`
	Password string           `json:"password"`
}

// CreateUser implements [AdminService].
func (r *remoteAdmin) CreateUser(
	ctx context.Context,
	orgID, name string,
	role account.UserRole,
	password string,
) (UserView, error) {
	var made UserView
	err := r.callEndpoint(ctx, http.MethodPost, "/users", userRequest{orgID, name, role, password}, &made)
	return made, err
}

// ListUsers implements [AdminService].
func (r *remoteAdmin) ListUsers(ctx context.Context, orgID string) ([]UserView, error) {
	var all []UserView
	err := r.callEndpoint(ctx, http.MethodGet, "/users?org="+url.QueryEscape(orgID), nil, &all)
	return all, err
}

// SetPassword implements [AdminService].
func (r *remoteAdmin) SetPassword(ctx context.Context, name, password string) (UserView, error) {
	var changed UserView
	err := r.callEndpoint(ctx, http.MethodPost, "/users/password", userRequest{Name: name, Password: password}, &changed)
	return changed, err
}

// serveUsers adds the routes of users.
func serveUsers(mux *http.ServeMux, a *LocalAdmin) {
	mux.HandleFunc("POST /users", userHandler(func(ctx context.Context, q userRequest) (UserView, error) {
		return a.CreateUser(ctx, q.OrgID, q.Name, q.Role, q.Password)
	}))
	mux.HandleFunc("POST /users/password", userHandler(func(ctx context.Context, q userRequest) (UserView, error) {
		return a.SetPassword(ctx, q.Name, q.Password)
	}))
	mux.HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
		all, err := a.ListUsers(r.Context(), r.URL.Query().Get("org"))
		writeAnswer(w, http.StatusOK, all, err)
	})
}

func userHandler(act func(context.Context, userRequest) (UserView, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var q userRequest
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&q); err != nil {
			writeAnswer(w, 0, nil, store.Errorf(store.CodeInvalid, "the request is not JSON: %v", err))
			return
		}
		u, err := act(r.Context(), q)
		writeAnswer(w, http.StatusOK, u, err)
	}
}
