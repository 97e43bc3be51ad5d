package admin

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/org"
)

// maxName bounds an organization's name, in bytes.
const maxName = 200

// CreateOrganization implements [Admin].
func (l *Local) CreateOrganization(ctx context.Context, id, name string) (org.Organization, error) {
	if name = strings.TrimSpace(name); name == "" {
		name = id
	}
	if len(name) > maxName {
		return org.Organization{}, store.Errorf(store.CodeInvalid, "an organization's name has %d bytes at most", maxName)
	}
	made := org.Organization{ID: id, Name: name, CreatedAt: time.Now().UTC()}
	return made, l.store.CreateOrganization(ctx, made)
}

// Organizations implements [Admin].
func (l *Local) Organizations(ctx context.Context) ([]org.Organization, error) {
	return l.store.Organizations(ctx)
}

// CreateOrganization implements [Admin].
func (r *remote) CreateOrganization(ctx context.Context, id, name string) (org.Organization, error) {
	var made org.Organization
	err := r.call(ctx, http.MethodPost, "/organizations", org.Organization{ID: id, Name: name}, &made)
	return made, err
}

// Organizations implements [Admin].
func (r *remote) Organizations(ctx context.Context) ([]org.Organization, error) {
	var all []org.Organization
	err := r.call(ctx, http.MethodGet, "/organizations", nil, &all)
	return all, err
}

// serveOrganizations adds their routes to mux.
func serveOrganizations(mux *http.ServeMux, a *Local) {
	mux.HandleFunc("POST /organizations", func(w http.ResponseWriter, r *http.Request) {
		var wanted org.Organization
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&wanted); err != nil {
			answer(w, 0, nil, store.Errorf(store.CodeInvalid, "the request is no JSON: %v", err))
			return
		}
		made, err := a.CreateOrganization(r.Context(), wanted.ID, wanted.Name)
		answer(w, http.StatusCreated, made, err)
	})
	mux.HandleFunc("GET /organizations", func(w http.ResponseWriter, r *http.Request) {
		all, err := a.Organizations(r.Context())
		answer(w, http.StatusOK, all, err)
	})
}
