package webhook

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/delivery"
	"munadi/ui/locale"
	"munadi/ui/webhook"
)

// exportDeliveries exports the webhook deliveries of a state, or all, as CSV: one row each, with the last attempt.
func (s handlers) exportDeliveries(c echo.Context) error {
	v, ctx, state := kit.RequestVisitor(c), c.Request().Context(), delivery.DeliveryState(c.QueryParam("state"))
	columns := locale.ColumnNames(v.Lang, webhook.Log.ExportKeys()...)
	read := func(cursor string) (store.ListPage[delivery.Delivery], error) {
		return s.Store.ListDeliveries(ctx, v.Org.ID, state, kit.MaxStorePage, cursor)
	}
	return kit.SendPagedCSV(c, "deliveries.csv", columns, read, webhook.Log.ExportRow)
}
