package api

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store"
	"munadi/store/delivery"
)

// listDeliveries answers the webhook delivery log, newest first.
func (s *APIService) listDeliveries(c echo.Context) error {
	q := queryOf(c, "state", "limit", "cursor")
	states := []delivery.DeliveryState{delivery.Pending, delivery.Delivered, delivery.Failed}
	state, limit, cursor := enumParam(q, "state", states), q.limitParam(), q.textParam("cursor")
	page, err := readLog(limit, cursor, func(limit int, cursor string) (store.ListPage[delivery.Delivery], error) {
		return s.Store.ListDeliveries(c.Request().Context(), requestPrincipal(c).OrgID, state, limit, cursor)
	})
	return answerList(c, q, page, err, apimodel.DeliveryOf)
}

const (
	logPiece = 20      // deliveries read from the store at once
	logBytes = 1 << 20 // bytes of bodies, after which a page of the log ends
)

// readLog reads at most limit deliveries of a log with find. Each may hold request and response bodies of two dozen
// tries, so a page may end early; its cursor continues from there.
func readLog(
	limit int, cursor string, find func(limit int, cursor string) (store.ListPage[delivery.Delivery], error),
) (store.ListPage[delivery.Delivery], error) {
	all := store.ListPage[delivery.Delivery]{Next: cursor}
	for bytes := 0; len(all.Items) < limit && bytes < logBytes; {
		page, err := find(min(logPiece, limit-len(all.Items)), all.Next)
		if err != nil {
			return all, err
		}
		all.Items, all.Next = append(all.Items, page.Items...), page.Next
		for _, d := range page.Items {
			bytes += d.BodySize()
		}
		if page.Next == "" {
			break
		}
	}
	return all, nil
}
