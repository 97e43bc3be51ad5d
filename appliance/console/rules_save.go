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
	rules.KillSwitch = kept.KillSwitch
	if err := s.putRules(c, rules); err != nil {
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
	rules, err := s.Store.Rules(c.Request().Context(), visiting(c).Org.ID)
	if err != nil {
		return err
	}
	rules.KillSwitch = stopped
	if err := s.putRules(c, rules); err != nil {
		return err
	}
	say(c, said)
	return see(c, Root+"/rules")
}

func (s *Service) putRules(c echo.Context, rules dialling.Rules) error {
	v, now := visiting(c), s.Now().UTC().Truncate(time.Millisecond)
	rules.UpdatedAt = now
	return s.Store.PutRules(c.Request().Context(), v.Org.ID, rules, v.actor(), now)
}
