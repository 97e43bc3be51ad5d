package records

import (
	"context"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// audits are an organization's audit entries. Their ranks have no gap that is not a loss.
var audits = declareKind[store.AuditEntry](driver.Table{
	Kind: "audit", Name: "audit", Key: []string{"org", "rank"}, Numbers: []string{"rank"},
	Counter: "audit-rank", Ranked: []string{"rank"},
}, nil, nil)

// AddAudit appends an entry to an organization's audit trail, in the transaction of the change that it records.
func AddAudit(tx driver.Tx, orgID string, entry store.AuditEntry) error {
	if err := record.CheckAudit(entry); err != nil {
		return err
	}
	return audits.append(tx, entry, orgID)
}

// AddAudit implements [store.UserStore].
func (s *Records) AddAudit(ctx context.Context, orgID string, entry store.AuditEntry) error {
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		return audited{orgID, entry}, NeedOrganization(tx, orgID)
	})
}

// AuditTrail implements [store.AuditStore].
func (s *Records) AuditTrail(
	ctx context.Context, orgID string, limit int, cursor string,
) (page store.ListPage[store.AuditEntry], err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		q := driver.Query{Equal: []any{orgID}, Latest: true}
		page, err = audits.page(tx, q, []string{"audit", orgID}, limit, cursor)
		return err
	})
	return page, err
}
