package scenarios

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/scenario"
)

// serveScenarioLine serves the audio of a fixed line of a scenario as callees hear it; the query names the line by its
// number among all lines.
func (s handlers) serveScenarioLine(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	found = found.Latest()
	lines := found.SpokenLines()
	n, err := strconv.Atoi(c.QueryParam("line"))
	if err != nil || n < 0 || n >= len(lines) || !scenario.IsFixed(lines[n].Text) {
		return kit.NewNotFoundError("no such line")
	}
	return s.SendSpeech(c, found.Voice, lines[n].Text)
}

// serveDraftLine serves the audio of a line of a draft.
func (s handlers) serveDraftLine(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(c.QueryParam("text"))
	if text == "" || utf8.RuneCountInString(text) > scenario.MaxText || !scenario.IsFixed(text) {
		return kit.NewNotFoundError("no such line")
	}
	return s.SendSpeech(c, found.Latest().Voice, text)
}
