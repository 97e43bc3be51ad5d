package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/wire"
	"munadi/store/delivery"
)

// listDeliveries answers the delivery log, newest first.
func (s *Service) listDeliveries(c echo.Context) error {
	q := queryOf(c, "state", "limit", "cursor")
	states := []delivery.State{delivery.Pending, delivery.Delivered, delivery.Failed}
	state, limit, cursor := one(q, "state", states), q.limit(), q.text("cursor")
	if err := invalid(q.found); err != nil {
		return err
	}
	page, err := s.Store.Deliveries(c.Request().Context(), principal(c).OrgID, state, limit, cursor)
	if err != nil {
		return badCursor(err)
	}
	list := make([]wire.Delivery, len(page.Items))
	for i, d := range page.Items {
		list[i] = wire.DeliveryOf(d)
	}
	return answerPage(c, http.StatusOK, list, page.Next)
}
