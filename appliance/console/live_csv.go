package console

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/csvcell"
	"munadi/store/live"
	"munadi/ui/locale"
)

// exportLive exports the live sessions that match the search as CSV, with their transcripts.
func (s *ConsoleService) exportLive(c echo.Context) error {
	ctx, v := c.Request().Context(), requestVisitor(c)
	search := strings.TrimSpace(c.QueryParam("q"))
	found, err := s.searchLive(ctx, v.Org.ID, search, "")
	if err != nil {
		return err
	}
	out := beginCSV(c, "live.csv")
	_ = out.Write(locale.ColumnNames( // out.Error reports it below
		v.Lang, "id", "source", "device", "started_at", "ended_at", "seconds", "text",
	))
	for {
		for _, l := range found.Items {
			_ = out.Write(liveCells(l))
		}
		if search != "" || found.Next == "" || out.Error() != nil {
			break
		}
		if found, err = s.searchLive(ctx, v.Org.ID, "", found.Next); err != nil {
			return endBrokenCSV(out, err)
		}
	}
	out.Flush()
	return out.Error()
}

func liveCells(l live.LiveSession) []string {
	return []string{
		l.ID, string(l.Source), csvcell.GuardCell(l.Device), formatTimestamp(&l.StartedAt), formatTimestamp(l.EndedAt),
		strconv.FormatFloat(l.Seconds, 'f', 1, 64), csvcell.GuardCell(l.FullText()),
	}
}
