package live

import (
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/live"
	uilive "munadi/ui/live"
	"munadi/ui/locale"
)

// exportLive exports the live sessions that match the search as CSV, with their transcripts.
func (s handlers) exportLive(c echo.Context) error {
	ctx, v, search := c.Request().Context(), kit.RequestVisitor(c), strings.TrimSpace(c.QueryParam("q"))
	return kit.SendTableCSV(c, kit.TableFile[live.LiveSession]{
		Name: "live", Table: uilive.Table, Header: locale.ColumnNames(v.Lang, uilive.Table.ExportKeys()...),
		Read: func(cursor string) (store.ListPage[live.LiveSession], error) {
			return s.searchLive(ctx, v.Org.ID, search, cursor)
		},
	})
}
