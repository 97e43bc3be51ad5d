package console

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/store/callrules"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// saveRules replaces the dialling rules, except the kill switch, which has its own buttons.
func (s *ConsoleService) saveRules(c echo.Context) error {
	v := requestVisitor(c)
	w := locale.RulesIn(v.Lang)
	form, err := c.FormParams()
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, "this is no form").SetInternal(err)
	}
	kept, err := s.Store.FindRules(c.Request().Context(), v.Org.ID)
	if err != nil {
		return err
	}
	rules, typed := rulesForm(form, w)
	if len(typed.Faults) > 0 {
		return s.rulesPage(c, http.StatusUnprocessableEntity, typed, kept)
	}
	err = s.changeRules(c, func(now *callrules.CallRules) {
		rules.KillSwitch = now.KillSwitch
		*now = rules
	})
	if err != nil {
		return err
	}
	flashMessage(c, w.SaidSaved)
	return redirectTo(c, Root+"/rules")
}

// stopCalling turns the kill switch on: no new call is dialled. It asks for no confirmation, since it is urgent and
// loses nothing.
func (s *ConsoleService) stopCalling(c echo.Context) error {
	return s.setKillSwitch(c, true, locale.RulesIn(requestVisitor(c).Lang).SaidStopped)
}

// askResume asks for confirmation before all due calls are dialled at once.
func (s *ConsoleService) askResume(c echo.Context) error {
	title := locale.RulesIn(requestVisitor(c).Lang).ResumeTitle
	return renderPage(
		c,
		http.StatusOK,
		page.ResumeRulesPage(page.ResumeRules{ConsolePage: s.consoleFrame(c, layout.Rules, title)}),
	)
}

// resumeCalling turns the kill switch off.
func (s *ConsoleService) resumeCalling(c echo.Context) error {
	return s.setKillSwitch(c, false, locale.RulesIn(requestVisitor(c).Lang).SaidResumed)
}

func (s *ConsoleService) setKillSwitch(c echo.Context, stopped bool, said string) error {
	if err := s.changeRules(c, func(now *callrules.CallRules) { now.KillSwitch = stopped }); err != nil {
		return err
	}
	flashMessage(c, said)
	return redirectTo(c, Root+"/rules")
}

// changeRules changes the current rules in a transaction, so that a kill switch that is turned on while another user
// saves the form stays on.
func (s *ConsoleService) changeRules(c echo.Context, change func(now *callrules.CallRules)) error {
	v, at := requestVisitor(c), s.Now().UTC().Truncate(time.Millisecond)
	return s.Store.ChangeRules(c.Request().Context(), v.Org.ID, v.auditActor(), at, func(now *callrules.CallRules) error {
		change(now)
		return nil
	})
}
