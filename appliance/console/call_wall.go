package console

import (
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/ssehub"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

const (
	wallCards = 100 // running calls on the wall
	wallTurns = 2   // latest turns of each
)

// showWall shows all running calls side by side, each with its latest turns, for supervisors.
func (s *ConsoleService) showWall(c echo.Context) error {
	ctx, v := c.Request().Context(), requestVisitor(c)
	scenarios, err := s.UseCases.ListScenarios(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	found, err := s.Store.CallsPage(ctx, v.Org.ID, store.CallFilter{
		Statuses: []call.CallStatus{call.Dialing, call.InProgress}, Limit: wallCards, Sort: store.SortByDueTime,
	})
	if err != nil {
		return err
	}
	w := locale.WallIn(v.Lang)
	p := page.WallView{
		ConsolePage: s.consoleFrame(c, layout.Calls, w.Title), MayListen: v.User.Role.Allows(account.Operator),
		More: found.Next != "",
	}
	p.Styles, p.Module = append(p.Styles, "css/console-wall.css"), "js/console-wall.js"
	for _, one := range found.Items {
		card := page.WallCard{CallRow: rowOf(one, scenarioLabels{scenarios, v.Lang}), Turns: s.latestTurns(one)}
		if one.StartedAt != nil {
			card.Since = one.StartedAt.UTC().Format(page.StampForm)
		}
		p.Cards = append(p.Cards, card)
	}
	return renderPage(c, http.StatusOK, page.WallPage(p))
}

// latestTurns returns what was said last in a running call, oldest first.
func (s *ConsoleService) latestTurns(c call.Call) []page.WallTurn {
	var turns []page.WallTurn
	topic := ssehub.EventTopic{OrgID: c.OrgID, Name: "call/" + c.ID}
	for _, data := range s.Events.LastEvents(topic, "message", wallTurns) {
		var m call.Message
		if json.Unmarshal(data, &m) == nil {
			turns = append(turns, page.WallTurn{Customer: m.Role == call.User, Text: m.Content})
		}
	}
	return turns
}
