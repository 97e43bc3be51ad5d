package api

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/wire"
	"munadi/store"
	"munadi/store/delivery"
)

// listDeliveries answers the delivery log, newest first.
func (s *Service) listDeliveries(c echo.Context) error {
	q := queryOf(c, "state", "limit", "cursor")
	states := []delivery.State{delivery.Pending, delivery.Delivered, delivery.Failed}
	state, limit, cursor := one(q, "state", states), q.limit(), q.text("cursor")
	page, err := s.deliveries(c.Request().Context(), principal(c).OrgID, state, limit, cursor)
	if err = q.verdict(err); err != nil {
		return err
	}
	list := make([]wire.Delivery, len(page.Items))
	for i, d := range page.Items {
		list[i] = wire.DeliveryOf(d)
	}
	return answerPage(c, http.StatusOK, list, page.Next, page.Incomplete)
}

const (
	logPiece = 20      // deliveries read at once
	logBytes = 1 << 20 // of bodies, after which a part of the log ends
)

// deliveries are at most limit of the log. Each may hold what was said in two dozen tries, so a part may end early;
// its cursor goes on from there.
func (s *Service) deliveries(
	ctx context.Context, orgID string, state delivery.State, limit int, cursor string,
) (store.Page[delivery.Delivery], error) {
	all := store.Page[delivery.Delivery]{Next: cursor}
	for bytes := 0; len(all.Items) < limit && bytes < logBytes; {
		page, err := s.Store.Deliveries(ctx, orgID, state, min(logPiece, limit-len(all.Items)), all.Next)
		if err != nil {
			return all, err
		}
		all.Items, all.Next = append(all.Items, page.Items...), page.Next
		for _, d := range page.Items {
			bytes += d.Size()
		}
		if page.Next == "" {
			break
		}
	}
	return all, nil
}
