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
	"munadi/store/org"
)

// actor is how the audit trail names whoever has the data folder.
const actor = "command line"

// User is a console user as an operator sees it.
type User struct {
	ID           string     `json:"id"`
	OrgID        string     `json:"org"`
	Name         string     `json:"name"`
	Role         org.Role   `json:"role"`
	CreatedAt    time.Time  `json:"created_at"`
	LastSignInAt *time.Time `json:"last_sign_in_at"`
	DisabledAt   *time.Time `json:"disabled_at"`
}

// viewUser is a user without the password's hash.
func viewUser(u org.User) User {
	return User{
		ID: u.ID, OrgID: u.OrgID, Name: u.Name, Role: u.Role,
		CreatedAt: u.CreatedAt, LastSignInAt: u.LastSignInAt, DisabledAt: u.DisabledAt,
	}
}

// CreateUser implements [Admin].
func (l *Local) CreateUser(ctx context.Context, orgID, name string, role org.Role, password string) (User, error) {
	u, err := l.accounts.CreateUser(ctx, orgID, name, role, password, actor)
	return viewUser(u), weak(err)
}

// Users implements [Admin].
func (l *Local) Users(ctx context.Context, orgID string) ([]User, error) {
	all := []User{}
	users, err := l.store.Users(ctx, orgID)
	for _, u := range users {
		all = append(all, viewUser(u))
	}
	return all, err
}

// SetPassword implements [Admin].
func (l *Local) SetPassword(ctx context.Context, name, password string) (User, error) {
	u, err := l.store.UserByName(ctx, name)
	if err != nil {
		return User{}, err
	}
	return viewUser(u), weak(l.accounts.SetPassword(ctx, u, password, actor, nil))
}

// weak gives a password that may not be the store's code, so that it travels over the socket.
func weak(err error) error {
	var w *auth.WeakPassword
	if errors.As(err, &w) {
		return store.Errorf(store.CodeInvalid, "%v", w)
	}
	return err
}

// userRequest is the body of POST /users and of POST /users/password.
type userRequest struct {
	OrgID    string   `json:"org"`
	Name     string   `json:"name"`
	Role     org.Role `json:"role"`
	Password string   `json:"password"`
}

// CreateUser implements [Admin].
func (r *remote) CreateUser(ctx context.Context, orgID, name string, role org.Role, password string) (User, error) {
	var made User
	err := r.call(ctx, http.MethodPost, "/users", userRequest{orgID, name, role, password}, &made)
	return made, err
}

// Users implements [Admin].
func (r *remote) Users(ctx context.Context, orgID string) ([]User, error) {
	var all []User
	err := r.call(ctx, http.MethodGet, "/users?org="+url.QueryEscape(orgID), nil, &all)
	return all, err
}

// SetPassword implements [Admin].
func (r *remote) SetPassword(ctx context.Context, name, password string) (User, error) {
	var changed User
	err := r.call(ctx, http.MethodPost, "/users/password", userRequest{Name: name, Password: password}, &changed)
	return changed, err
}

// serveUsers adds their routes to mux.
func serveUsers(mux *http.ServeMux, a *Local) {
	mux.HandleFunc("POST /users", userHandler(func(ctx context.Context, q userRequest) (User, error) {
		return a.CreateUser(ctx, q.OrgID, q.Name, q.Role, q.Password)
	}))
	mux.HandleFunc("POST /users/password", userHandler(func(ctx context.Context, q userRequest) (User, error) {
		return a.SetPassword(ctx, q.Name, q.Password)
	}))
	mux.HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
		all, err := a.Users(r.Context(), r.URL.Query().Get("org"))
		answer(w, http.StatusOK, all, err)
	})
}

func userHandler(act func(context.Context, userRequest) (User, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var q userRequest
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&q); err != nil {
			answer(w, 0, nil, store.Errorf(store.CodeInvalid, "the request is no JSON: %v", err))
			return
		}
		u, err := act(r.Context(), q)
		answer(w, http.StatusOK, u, err)
	}
}
