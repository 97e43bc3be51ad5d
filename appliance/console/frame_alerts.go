package console

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/alert"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// alertBanners returns the open, unacknowledged alerts that a visitor may see, newest first.
func alertBanners(v visitor, board alert.AlertBoard, zone *time.Location) (all []layout.AlertBanner) {
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

// countNeeds counts the calls that need staff, up to [layout.MostWaiting].
func (s *Console) countNeeds(ctx context.Context, orgID string) int {
	n, err := s.Store.CountCalls(ctx, orgID, needsFilter(), layout.MostWaiting)
	if err != nil {
		return 0 // if they cannot be read, the page's handler fails
	}
	return n
}

// needsFilter is the store's filter of calls that need staff, oldest first.
func needsFilter() store.CallFilter {
	return store.CallFilter{NeedsPerson: true, Sort: store.SortByDueTime, Ascending: true}
}
