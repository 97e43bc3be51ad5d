package admin

import (
	"context"
	"net/http"

	"munadi/store"
)

// AuditReport is the verification of one organization's audit log.
type AuditReport struct {
	OrgID string `json:"org"`
	store.AuditVerification
}

// VerifyAudit implements [AdminService].
func (l *LocalAdmin) VerifyAudit(ctx context.Context) ([]AuditReport, error) {
	return VerifyTrails(ctx, l.store)
}

// VerifyTrails verifies the audit log of every organization.
func VerifyTrails(ctx context.Context, s store.Store) ([]AuditReport, error) {
	orgs, err := s.ListOrganizations(ctx)
	if err != nil {
		return nil, err
	}
	all := []AuditReport{}
	for _, o := range orgs {
		found, err := s.VerifyAudit(ctx, o.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, AuditReport{o.ID, found})
	}
	return all, nil
}

// VerifyAudit implements [AdminService].
func (r *remoteAdmin) VerifyAudit(ctx context.Context) ([]AuditReport, error) {
	var all []AuditReport
	err := r.callEndpoint(ctx, http.MethodGet, "/audit/verification", nil, &all)
	return all, err
}

// serveAudit adds the route of the audit logs.
func serveAudit(mux *http.ServeMux, a *LocalAdmin) {
	mux.HandleFunc("GET /audit/verification", func(w http.ResponseWriter, r *http.Request) {
		all, err := a.VerifyAudit(r.Context())
		writeAnswer(w, http.StatusOK, all, err)
	})
}
