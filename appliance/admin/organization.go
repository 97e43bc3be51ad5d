package admin

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
)

// CreateOrganization implements [AdminService].
func (l *LocalAdmin) CreateOrganization(ctx context.Context, id, name string) (account.Organization, error) {
	cases := service.UseCases{Store: l.store, Now: time.Now}
	return cases.CreateOrganization(ctx, actor, id, name)
}

// ListOrganizations implements [AdminService].
func (l *LocalAdmin) ListOrganizations(ctx context.Context) ([]account.Organization, error) {
	return l.store.ListOrganizations(ctx)
}

// CreateOrganization implements [AdminService].
func (r *remoteAdmin) CreateOrganization(ctx context.Context, id, name string) (account.Organization, error) {
	var made account.Organization
	err := r.callEndpoint(ctx, http.MethodPost, "/organizations", account.Organization{ID: id, Name: name}, &made)
	return made, err
}

// ListOrganizations implements [AdminService].
func (r *remoteAdmin) ListOrganizations(ctx context.Context) ([]account.Organization, error) {
	var all []account.Organization
	err := r.callEndpoint(ctx, http.MethodGet, "/organizations", nil, &all)
	return all, err
}

// serveOrganizations adds the routes of organizations.
func serveOrganizations(mux *http.ServeMux, a *LocalAdmin) {
	mux.HandleFunc("POST /organizations", func(w http.ResponseWriter, r *http.Request) {
		var wanted account.Organization
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&wanted); err != nil {
			writeAnswer(w, 0, nil, store.Errorf(store.CodeInvalid, "the request is not JSON: %v", err))
			return
		}
		made, err := a.CreateOrganization(r.Context(), wanted.ID, wanted.Name)
		writeAnswer(w, http.StatusCreated, made, err)
	})
	mux.HandleFunc("GET /organizations", func(w http.ResponseWriter, r *http.Request) {
		all, err := a.ListOrganizations(r.Context())
		writeAnswer(w, http.StatusOK, all, err)
	})
}
