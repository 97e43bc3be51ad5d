package kit

import (
	"context"
	"math"
	"time"

	"munadi/store"
	"munadi/store/alert"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// alertBanners returns the open, unacknowledged alerts that a Visitor may see, newest first.
func alertBanners(v Visitor, board alert.AlertBoard, zone *time.Location) (all []layout.AlertBanner) {
	for _, a := range board.VisibleTo(v.User.IsGovernor()).Open {
		if a.AcknowledgedAt != nil {
			continue
		}
		said := locale.DescribeAlert(v.Lang, string(a.Kind), a.Subject, a.Facts)
		all = append([]layout.AlertBanner{{
			Title: said.Title, What: said.What, Do: said.Do, Href: said.Href, Since: a.RaisedAt, Zone: zone,
		}}, all...)
	}
	return all
}

// CountNeeds counts the calls that need staff.
func (s *Console) CountNeeds(ctx context.Context, orgID string) int {
	n, err := s.Store.CountCalls(ctx, orgID, NeedsFilter(), math.MaxInt32)
	if err != nil {
		return 0 // if they cannot be read, the page's handler fails
	}
	return n
}

// NeedsFilter is the store's filter of calls that need staff, oldest first.
func NeedsFilter() store.CallFilter {
	return store.CallFilter{NeedsPerson: true, Sort: store.SortByDueTime, Ascending: true}
}

// FindAlerts finds an organization's alerts; none if they are damaged, as the page's notice says.
func (s *Console) FindAlerts(ctx context.Context, orgID string) (alert.AlertBoard, error) {
	board, err := s.Store.FindAlerts(ctx, orgID)
	if store.IsUnreadable(err) {
		return alert.AlertBoard{}, nil
	}
	return board, err
}
