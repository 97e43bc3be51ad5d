package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/store"
	"munadi/store/delivery"
)

// listEvents answers the deliveries of events to a destination, newest first.
func (s *APIService) listEvents(c echo.Context) error {
	orgID, destination := requestPrincipal(c).OrgID, c.Param("destination_id")
	q := queryOf(c, "state", "limit", "cursor")
	states := []delivery.DeliveryState{delivery.Pending, delivery.Delivered, delivery.Failed}
	state, limit, cursor := enumParam(q, "state", states), q.limitParam(), q.textParam("cursor")
	_, err := s.UseCases.FindDestination(c.Request().Context(), orgID, destination)
	if err != nil && !store.IsUnreadable(err) { // the deliveries can be read nevertheless
		return err
	}
	page, err := readLog(limit, cursor, func(limit int, cursor string) (store.ListPage[delivery.Delivery], error) {
		return s.Store.ListEvents(c.Request().Context(), orgID, destination, state, limit, cursor)
	})
	return answerList(c, q, page, err, apimodel.EventDeliveryOf)
}

// redeliverEvent queues an ended delivery again (202); 409 while it is pending.
func (s *APIService) redeliverEvent(c echo.Context) error {
	d, err := s.UseCases.RedeliverEvent(
		c.Request().Context(), requestCaller(c), c.Param("destination_id"), c.Param("delivery_id"))
	return answerWith(c, http.StatusAccepted, d, err, apimodel.EventDeliveryOf)
}
