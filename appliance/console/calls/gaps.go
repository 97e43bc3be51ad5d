package calls

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/ui/calls"
)

// showGaps shows the listening page of a call: who spoke when, and the gaps between the turns.
func (s handlers) showGaps(c echo.Context) error {
	found, err := s.requestCall(c)
	if err != nil {
		return err
	}
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return err
	}
	p := callRecord(found, k)
	if p.Recording != "" {
		s.addWaveform(c.Request().Context(), found, kit.RequestVisitor(c).Lang, &p)
	}
	p.ConsolePage = s.ConsoleFrame(c, calls.GapsTitle.In(kit.RequestVisitor(c).Lang))
	p.Styles, p.Module = append(p.Styles, "css/console-call.css", "css/console-player.css"), "js/console-gaps.js"
	return kit.RenderPage(c, http.StatusOK, calls.GapsPage(p))
}
