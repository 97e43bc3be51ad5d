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

// saveRules replaces the dialling rules, but for the kill switch, which has buttons of its own.
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

// stopCalling holds every new call back. It asks nothing: whoever presses it is in a hurry, and nothing is lost.
func (s *ConsoleService) stopCalling(c echo.Context) error {
	return s.setKillSwitch(c, true, locale.RulesIn(requestVisitor(c).Lang).SaidStopped)
}

// askResume asks before all that is due goes out at once.
func (s *ConsoleService) askResume(c echo.Context) error {
	title := locale.RulesIn(requestVisitor(c).Lang).ResumeTitle
	return renderPage(c, http.StatusOK, page.ResumeRulesPage(page.ResumeRules{ConsolePage: s.consoleFrame(c, layout.Rules, title)}))
}

// resumeCalling lets calls go out again.
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

// changeRules changes what the rules are at that moment: the kill switch that somebody presses while another saves the
// form must hold.
func (s *ConsoleService) changeRules(c echo.Context, change func(now *callrules.CallRules)) error {
	v, at := requestVisitor(c), s.Now().UTC().Truncate(time.Millisecond)
	return s.Store.ChangeRules(c.Request().Context(), v.Org.ID, v.auditActor(), at, func(now *callrules.CallRules) error {
		change(now)
		return nil
	})
}
