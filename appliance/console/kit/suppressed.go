package kit

import (
	"context"

	"munadi/ui/suppressions"
)

// FindActiveSuppression returns the active suppression of a number; nil without one.
func (s *Console) FindActiveSuppression(ctx context.Context, orgID, number string) (
	*suppressions.SuppressedRow, error,
) {
	entry, err := s.Store.FindSuppression(ctx, orgID, number, s.Now())
	if err != nil || entry == nil {
		return nil, err
	}
	return &suppressions.SuppressedRow{
		Number: entry.PhoneNumber, Reason: entry.Reason, Source: entry.Source, Added: entry.CreatedAt, Until: entry.Until,
	}, nil
}
