package live

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	fold "munadi/engine/arabic"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/live"
	"munadi/ui/component"
	"munadi/ui/layout"
	uilive "munadi/ui/live"
	"munadi/ui/locale"
)

const (
	livePageSize    = 20  // sessions on a page
	maxLiveSearched = 500 // sessions that one page of a search examines

	microphoneTimeout = 3 * time.Second // for listing microphones, while a page waits for them
)

// listLive shows the microphone form, and the recorded sessions.
func (s handlers) listLive(c echo.Context) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	search := strings.TrimSpace(c.QueryParam("q"))
	p := uilive.View{
		ConsolePage: s.liveFrame(c), May: v.User.Role.Allows(account.Operator), Zone: s.OrganizationZone(c),
		TableList: component.TableList{Action: livePath, Filter: search, CSV: kit.ListAddress("/live.csv", search, 0)},
	}
	p.Module = "js/console-live.js"
	if s.Latencies != nil {
		p.Latencies = s.Latencies()
	}
	names, err := s.microphoneNames(ctx)
	p.Devices, p.Deaf = names, err != nil || len(names) == 0
	found, err := s.searchLive(ctx, v.Org.ID, search, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	p.Sessions, p.Shown = found.Items, max(len(found.Items), 1) // the page says itself that none matches
	if found.Next != "" {
		p.Next = kit.BuildURL(livePath, "q", search, "cursor", found.Next)
	}
	if c.QueryParam("cursor") != "" {
		p.First = livePath
	}
	return kit.RenderPage(c, http.StatusOK, uilive.Page(p))
}

// microphoneNames returns the names of this machine's microphones, the default one first.
func (s handlers) microphoneNames(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, microphoneTimeout)
	defer cancel()
	return s.Microphones(ctx)
}

func (s handlers) liveFrame(c echo.Context) layout.ConsolePage {
	frame := s.ConsoleFrame(c, uilive.Title.In(kit.RequestVisitor(c).Lang))
	frame.Styles = append(frame.Styles, "css/console-live.css", "css/console-player.css")
	return frame
}

// searchLive returns a page of the list, or those of the next [maxLiveSearched] sessions whose transcript matches the
// search; further ones follow on the next page.
func (s handlers) searchLive(
	ctx context.Context, orgID, search, cursor string,
) (store.ListPage[live.LiveSession], error) {
	if search == "" {
		return s.Store.LiveSessions(ctx, orgID, livePageSize, cursor)
	}
	var found store.ListPage[live.LiveSession]
	wanted := fold.FoldSpelling(search)
	for looked := 0; looked < maxLiveSearched; {
		part, err := s.Store.LiveSessions(ctx, orgID, livePageSize, cursor)
		if err != nil {
			return found, err
		}
		for _, l := range part.Items {
			if strings.Contains(fold.FoldSpelling(l.FullText()), wanted) {
				found.Items = append(found.Items, l)
			}
		}
		looked += livePageSize
		if found.Next, cursor = part.Next, part.Next; cursor == "" {
			break
		}
	}
	return found, nil
}

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
