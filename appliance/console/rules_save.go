package console

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/store/dialling"
	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// saveRules replaces the dialling rules, but for the kill switch, which has buttons of its own.
func (s *Service) saveRules(c echo.Context) error {
	v := visiting(c)
	w := text.RulesIn(v.Lang)
	form, err := c.FormParams()
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, "this is no form").SetInternal(err)
	}
	kept, err := s.Store.Rules(c.Request().Context(), v.Org.ID)
	if err != nil {
		return err
	}
	rules, typed := rulesForm(form, w)
	if len(typed.Faults) > 0 {
		return s.rulesPage(c, http.StatusUnprocessableEntity, typed, kept)
	}
	err = s.changeRules(c, func(now *dialling.Rules) {
		rules.KillSwitch = now.KillSwitch
		*now = rules
	})
	if err != nil {
		return err
	}
	say(c, w.SaidSaved)
	return see(c, Root+"/rules")
}

// stopCalling holds every new call back. It asks nothing: whoever presses it is in a hurry, and nothing is lost.
func (s *Service) stopCalling(c echo.Context) error {
	return s.setKillSwitch(c, true, text.RulesIn(visiting(c).Lang).SaidStopped)
}

// askResume asks before all that is due goes out at once.
func (s *Service) askResume(c echo.Context) error {
	title := text.RulesIn(visiting(c).Lang).ResumeTitle
	return show(c, http.StatusOK, page.ResumeRulesPage(page.ResumeRules{ConsolePage: s.frame(c, shell.Rules, title)}))
}

// resumeCalling lets calls go out again.
func (s *Service) resumeCalling(c echo.Context) error {
	return s.setKillSwitch(c, false, text.RulesIn(visiting(c).Lang).SaidResumed)
}

func (s *Service) setKillSwitch(c echo.Context, stopped bool, said string) error {
	if err := s.changeRules(c, func(now *dialling.Rules) { now.KillSwitch = stopped }); err != nil {
		return err
	}
	say(c, said)
	return see(c, Root+"/rules")
}

// changeRules changes what the rules are at that moment: the kill switch that somebody presses while another saves the
// form must hold.
func (s *Service) changeRules(c echo.Context, change func(now *dialling.Rules)) error {
	v, at := visiting(c), s.Now().UTC().Truncate(time.Millisecond)
	return s.Store.ChangeRules(c.Request().Context(), v.Org.ID, v.actor(), at, func(now *dialling.Rules) error {
		change(now)
		return nil
	})
}
