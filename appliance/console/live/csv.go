package live

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/live"
	"munadi/ui/locale"
)

// exportLive exports the live sessions that match the search as CSV, with their transcripts.
func (s handlers) exportLive(c echo.Context) error {
	ctx, v, search := c.Request().Context(), kit.RequestVisitor(c), strings.TrimSpace(c.QueryParam("q"))
	columns := locale.ColumnNames(v.Lang, "id", "source", "device", "started_at", "ended_at", "seconds", "text")
	read := func(cursor string) (store.ListPage[live.LiveSession], error) {
		return s.searchLive(ctx, v.Org.ID, search, cursor)
	}
	return kit.SendPagedCSV(c, "live.csv", columns, read, func(l live.LiveSession) []string {
		return []string{
			l.ID, string(l.Source), l.Device, kit.FormatTimestamp(&l.StartedAt), kit.FormatTimestamp(l.EndedAt),
			strconv.FormatFloat(l.Seconds, 'f', 1, 64), l.FullText(),
		}
	})
}
