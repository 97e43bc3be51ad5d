package console

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/csvcell"
	"munadi/store/delivery"
	"munadi/ui/locale"
)

// exportDeliveries exports the webhook deliveries of a state, or all, as CSV: one row each, with the last attempt.
func (s *ConsoleService) exportDeliveries(c echo.Context) error {
	v, ctx, state := requestVisitor(c), c.Request().Context(), delivery.DeliveryState(c.QueryParam("state"))
	found, err := s.Store.ListDeliveries(ctx, v.Org.ID, state, exportPageSize, "")
	if err != nil {
		return err
	}
	out := beginCSV(c, "deliveries.csv")
	_ = out.Write(locale.ColumnNames( // out.Error reports it below
		v.Lang, "id", "kind", "call_id", "state", "created_at", "tries", "last_try_at", "last_status_code", "last_error",
	))
	for {
		for _, d := range found.Items {
			_ = out.Write(deliveryCells(d))
		}
		if found.Next == "" || out.Error() != nil {
			break
		}
		if found, err = s.Store.ListDeliveries(ctx, v.Org.ID, state, exportPageSize, found.Next); err != nil {
			return endBrokenCSV(out, err)
		}
	}
	out.Flush()
	return out.Error()
}

func deliveryCells(d delivery.Delivery) []string {
	row := []string{
		d.ID, string(d.Kind), d.CallID, string(d.State), formatTimestamp(&d.CreatedAt), strconv.Itoa(len(d.Tries)), "", "", "",
	}
	if n := len(d.Tries); n > 0 {
		last := d.Tries[n-1]
		row[6], row[8] = formatTimestamp(&last.At), csvcell.GuardCell(last.Error)
		if last.StatusCode > 0 {
			row[7] = strconv.Itoa(last.StatusCode)
		}
	}
	return row
}
