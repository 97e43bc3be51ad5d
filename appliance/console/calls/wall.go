package calls

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/ssehub"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	uicalls "munadi/ui/calls"
)

const (
	maxWallCards = 100 // running calls on the wall
	maxWallTurns = 2   // latest turns of each
)

// showWall shows all running calls side by side, each with its latest turns, for supervisors.
func (s handlers) showWall(c echo.Context) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	found, err := s.Store.CallsPage(ctx, v.Org.ID, store.CallFilter{
		Statuses: []call.CallStatus{call.Dialing, call.InProgress}, Limit: maxWallCards, Sort: store.SortByDueTime,
	})
	if err != nil {
		return err
	}
	p := uicalls.WallView{
		ConsolePage: s.ConsoleFrame(c, uicalls.WallTitle.In(v.Lang)),
		MayListen:   v.User.Role.Allows(account.Operator),
		More:        found.Next != "",
	}
	p.Styles, p.Module = append(p.Styles, "css/console-wall.css"), "js/console-wall.js"
	p.Turns = s.latestTurns(ctx, found.Items)
	for _, one := range found.Items {
		p.Rows = append(p.Rows, kit.CallRow(one, kit.ScenarioLabels{Scenarios: scenarios, Lang: v.Lang}))
	}
	return kit.RenderPage(c, http.StatusOK, uicalls.WallPage(p))
}

// latestTurns returns the latest turns of running calls, oldest first, by call id: from this appliance's hub, or from
// the appliances that run the calls.
func (s handlers) latestTurns(ctx context.Context, calls []call.Call) map[string][]call.Message {
	turns := map[string][]call.Message{}
	var elsewhere []ssehub.EventTopic
	for _, c := range calls {
		topic := ssehub.EventTopic{OrgID: c.OrgID, Name: callTopicPrefix + c.ID}
		if !s.Events.HasTopic(topic) {
			elsewhere = append(elsewhere, topic)
			continue
		}
		for _, data := range s.Events.LastEvents(topic, "message", maxWallTurns) {
			turns[c.ID] = appendTurn(turns[c.ID], data)
		}
	}
	if s.LatestEvents == nil {
		return turns
	}
	for topic, events := range s.LatestEvents(ctx, elsewhere, "message", maxWallTurns) {
		id := strings.TrimPrefix(topic.Name, callTopicPrefix)
		for _, data := range events {
			turns[id] = appendTurn(turns[id], data)
		}
	}
	return turns
}

// callTopicPrefix is the prefix of the topic of a call's events.
const callTopicPrefix = "call/"

// appendTurn appends the turn of a message event.
func appendTurn(turns []call.Message, data []byte) []call.Message {
	var m call.Message
	if json.Unmarshal(data, &m) != nil {
		return turns
	}
	return append(turns, m)
}
