package admin

import (
	"context"
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
	return s.copyAnswer(ctx, "/audit/export?"+q.encode().Encode(), w)
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

// encode returns the query of a request to the socket.
func (q AuditExport) encode() url.Values {
	values := url.Values{"org": {q.OrgID}, "actor": {q.Filter.Actor}, "action": {q.Filter.Action}}
	for name, at := range map[string]time.Time{"from": q.Filter.From, "to": q.Filter.To} {
		if !at.IsZero() {
			values.Set(name, at.Format(time.RFC3339Nano))
		}
	}
	if q.CSV {
		values.Set("csv", "true")
	}
	return values
}

// decodeAuditExport is the inverse of encode.
func decodeAuditExport(values url.Values) (q AuditExport, err error) {
	q.OrgID, q.CSV = values.Get("org"), values.Has("csv")
	q.Filter.Actor, q.Filter.Action = values.Get("actor"), values.Get("action")
	for name, at := range map[string]*time.Time{"from": &q.Filter.From, "to": &q.Filter.To} {
		if text := values.Get(name); text != "" {
			if *at, err = time.Parse(time.RFC3339Nano, text); err != nil {
				return q, store.Errorf(store.CodeInvalid, "%s is no time: %v", name, err)
			}
		}
	}
	return q, nil
}

func (l *LocalAdmin) exportAudit(ctx context.Context, q AuditExport, w io.Writer) error {
	if q.CSV {
		return evidence.WriteAuditCSV(ctx, w, l.store, q.OrgID, q.Filter.Selection())
	}
	return evidence.WriteAudit(ctx, w, l.store, l.signer, q.OrgID, q.Filter.Selection(), time.Now())
}

// serveAudit answers with an export. An error after the first byte breaks the connection.
func (l *LocalAdmin) serveAudit(w http.ResponseWriter, r *http.Request) {
	begun := &writeTracker{Writer: w}
	q, err := decodeAuditExport(r.URL.Query())
	if err == nil {
		err = l.exportAudit(r.Context(), q, begun)
	}
	switch {
	case err != nil && begun.yes:
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close() // the reader finds that the last chunk is missing
		}
	case err != nil:
		writeAnswer(w, nil, err)
	}
}
