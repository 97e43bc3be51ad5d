package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/wire"
	"munadi/store"
)

// redeliver owes a notification once more.
func (s *Service) redeliver(c echo.Context) error {
	id := c.Param("delivery_id")
	d, err := s.Store.Redeliver(c.Request().Context(), principal(c).OrgID, id, actor(c), s.Now())
	if store.CodeOf(err) == store.CodeConflict {
		return refuse(http.StatusConflict, TypeConflict, "This delivery is still under way")
	}
	if err != nil {
		return err
	}
	return answer(c, http.StatusAccepted, wire.DeliveryOf(d))
}
