package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"munadi/appliance/evidence"
	"munadi/store"
)

// AuditExport asks for an organization's audit log as a file.
type AuditExport struct {
	OrgID  string
	CSV    bool // for spreadsheets, instead of JSON Lines that can be verified
	Filter evidence.AuditFilter
}

// ExportAudit writes the audit log of an organization. CodeNotFound without it. What an error leaves behind is not
// whole.
func (s AdminService) ExportAudit(ctx context.Context, q AuditExport, w io.Writer) error {
	if s.local != nil {
		return s.local.exportAudit(ctx, q, w)
	}
	asked, err := json.Marshal(q)
	if err != nil {
		return fmt.Errorf("call the appliance: %w", err)
	}
	return s.copyAnswer(ctx, "/audit/export?"+url.Values{"export": {string(asked)}}.Encode(), w)
}

// auditComparison asks whether the audit log still has what an export has.
type auditComparison struct {
	OrgID string                    `json:"org"`
	Ends  map[string]store.AuditEnd `json:"ends"`
}

// CompareAudit returns the fault that [evidence.CompareAudit] finds; empty: none.
func (s AdminService) CompareAudit(ctx context.Context, file evidence.AuditFile) (fault string, err error) {
	return compareAudit.run(ctx, s, auditComparison{file.Organization, file.Ends})
}

func (l *LocalAdmin) compareAudit(ctx context.Context, q auditComparison) (string, error) {
	return evidence.CompareAudit(ctx, l.store, q.OrgID, q.Ends)
}

// SigningKey returns the public key that signs what leaves the appliance.
func (s AdminService) SigningKey(ctx context.Context) (string, error) {
	return signingKey.run(ctx, s, nothing{})
}

func (l *LocalAdmin) signingKey(context.Context, nothing) (string, error) {
	return l.signer.PublicKey(), nil
}

func (l *LocalAdmin) exportAudit(ctx context.Context, q AuditExport, w io.Writer) error {
	if q.CSV {
		return evidence.WriteAuditCSV(ctx, w, l.store, q.OrgID, q.Filter.Selection())
	}
	return evidence.WriteAudit(ctx, w, l.store, l.signer, q.OrgID, q.Filter.Selection(), time.Now())
}

// serveAudit answers with an export.
func (l *LocalAdmin) serveAudit(w http.ResponseWriter, r *http.Request) {
	serveFile(r.Context(), w, func(ctx context.Context, w io.Writer) error {
		var q AuditExport
		if err := json.Unmarshal([]byte(r.URL.Query().Get("export")), &q); err != nil {
			return store.Errorf(store.CodeInvalid, "the export is no JSON: %v", err)
		}
		return l.exportAudit(ctx, q, w)
	})
}
