package webhook

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/delivery"
	"munadi/ui/locale"
)

// exportDeliveries exports the webhook deliveries of a state, or all, as CSV: one row each, with the last attempt.
func (s handlers) exportDeliveries(c echo.Context) error {
	v, ctx, state := kit.RequestVisitor(c), c.Request().Context(), delivery.DeliveryState(c.QueryParam("state"))
	columns := locale.ColumnNames(
		v.Lang, "id", "kind", "call_id", "state", "created_at", "tries", "last_try_at", "last_status_code", "last_error",
	)
	read := func(cursor string) (store.ListPage[delivery.Delivery], error) {
		return s.Store.ListDeliveries(ctx, v.Org.ID, state, kit.MaxStorePage, cursor)
	}
	return kit.SendPagedCSV(c, "deliveries.csv", columns, read, deliveryCells)
}

func deliveryCells(d delivery.Delivery) []string {
	row := []string{
		d.ID, string(d.Kind), d.CallID, string(d.State), kit.FormatTimestamp(&d.CreatedAt), strconv.Itoa(len(d.Tries)),
		"", "", "",
	}
	if n := len(d.Tries); n > 0 {
		last := d.Tries[n-1]
		row[6], row[8] = kit.FormatTimestamp(&last.At), last.Error
		if last.StatusCode > 0 {
			row[7] = strconv.Itoa(last.StatusCode)
		}
	}
	return row
}
