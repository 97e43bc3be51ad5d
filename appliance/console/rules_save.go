package console

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
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
		return newFormError(err)
	}
	kept, err := s.requestRules(c)
	if err != nil {
		return err
	}
	rules, typed := parseRulesForm(form)
	_, err = s.UseCases.ReplaceRules(c.Request().Context(), requestCaller(c), rules, nil)
	var broken *service.ViolationError
	if errors.As(err, &broken) {
		typed.Faults = explainRules(broken.Violations, w)
		return s.rulesPage(c, http.StatusUnprocessableEntity, typed, kept)
	}
	if err != nil {
		return err
	}
	flashMessage(c, w.SaidSaved)
	return redirectTo(c, Root+"/rules")
}

// stopCalling turns the kill switch on: no call is dialled any more. It needs no confirmation, since it is urgent and
// can be undone.
func (s *ConsoleService) stopCalling(c echo.Context) error {
	return s.setKillSwitch(c, true, locale.RulesIn(requestVisitor(c).Lang).SaidStopped)
}

// askResumeCalling asks for confirmation before all due calls are dialled at once.
func (s *ConsoleService) askResumeCalling(c echo.Context) error {
	title := locale.RulesIn(requestVisitor(c).Lang).ResumeTitle
	p := page.ResumeRules{ConsolePage: s.consoleFrame(c, layout.Rules, title)}
	return renderPage(c, http.StatusOK, page.ResumeRulesPage(p))
}

// resumeCalling turns the kill switch off.
func (s *ConsoleService) resumeCalling(c echo.Context) error {
	return s.setKillSwitch(c, false, locale.RulesIn(requestVisitor(c).Lang).SaidResumed)
}

func (s *ConsoleService) setKillSwitch(c echo.Context, stopped bool, said string) error {
	if err := s.UseCases.SetKillSwitch(c.Request().Context(), requestCaller(c), stopped); err != nil {
		return err
	}
	flashMessage(c, said)
	return redirectTo(c, Root+"/rules")
}
