package records

import (
	"context"

	"munadi/store/driver"
	"munadi/store/record"
)

// RenewMarks implements [store.CallStore].
func (s *Records) RenewMarks(ctx context.Context) error {
	shared := false
	err := s.db.Read(ctx, func(tx driver.Tx) error { shared = tx.Shared(); return nil })
	if err != nil || !shared {
		return err
	}
	all, err := s.ListOrganizations(ctx)
	for _, org := range all {
		if err == nil {
			err = s.renewMarksOf(ctx, org.ID)
		}
	}
	return err
}

// renewMarksOf writes the marked calls of an organization as they are, and with them their columns.
func (s *Records) renewMarksOf(ctx context.Context, orgID string) error {
	q := driver.Query{Index: callsByMark, Equal: []any{orgID}}
	_, err := sweepKind(ctx, s.db, calls, q,
		func(tx driver.Tx, row driver.Row, one record.CallRecord) (none struct{}, changed bool, err error) {
			return none, false, calls.replace(tx, one, one, row.Key...)
		})
	return err
}
