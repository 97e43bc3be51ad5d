package rules

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/callrules"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	uirules "munadi/ui/rules"
)

// saveRules replaces the dialling rules, except the kill switch, which has its own buttons.
func (s handlers) saveRules(c echo.Context) error {
	v := kit.RequestVisitor(c)
	given := kit.SentForm(c)
	kept, err := s.RequestRules(c)
	if err != nil {
		return err
	}
	rules, hours := readRules(kit.BindSent(c), s.NumberRegion(c))
	shown := kit.ReadShown(c, rulesPart)
	_, err = s.UseCases.ReplaceRules(c.Request().Context(), kit.RequestCaller(c), rules, nil, shown.IsUnchanged)
	p := weekView(hours, given.Get("hours") != "week")
	var broken *service.ViolationError
	switch {
	case errors.As(err, &broken):
		var others []form.Violation
		p.Faults, others = explainRules(broken.Violations, v.Lang)
		p.Form, p.Wrong, p.Revision = uirules.BindRules(form.NewBinder(v.Lang, given, others), &rules), true, shown.Revision
		return s.rulesPage(c, http.StatusUnprocessableEntity, p, kept)
	case kit.IsStale(err):
		p.Form = uirules.BindRules(form.NewBinder(v.Lang, nil, nil), &rules)
		saved := rulesView(shown.Kept, v.Lang)
		p.ReplacedSetting = shown.ConflictOf(v.Lang, saved.Form.Fields(), p.Form.Fields())
		p.CompareValues(uirules.Hours.In(v.Lang), hoursText(saved, v.Lang), hoursText(p, v.Lang))
		return s.rulesPage(c, http.StatusConflict, p, shown.Kept)
	case err != nil:
		return err
	}
	return kit.RedirectSaying(c, kit.Root+"/rules", uirules.SaidSaved.In(v.Lang))
}

// rulesPart returns what the form of the rules replaces: all but the kill switch.
func rulesPart(r callrules.CallRules) any {
	r.KillSwitch, r.UpdatedAt = false, time.Time{}
	return r
}

// hoursText returns the open hours of a week, a day on each line.
func hoursText(p uirules.View, l locale.Language) string {
	if p.Always {
		return uirules.Always.In(l)
	}
	var lines []string
	for _, day := range p.Days {
		line := uirules.WeekdayName(l, day.Key) + ":"
		for _, slot := range day.Slots {
			if slot != (uirules.SlotRow{}) {
				line += " \u2066" + slot.From + "–" + slot.To + "\u2069"
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// stopCalling turns the kill switch on: no call is dialled any more. It needs no confirmation, since it is urgent and
// can be undone.
func (s handlers) stopCalling(c echo.Context) error {
	return s.setKillSwitch(c, true, uirules.SaidStopped.In(kit.RequestVisitor(c).Lang))
}

// askResumeCalling asks for confirmation before all due calls are dialled at once.
func (s handlers) askResumeCalling(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	return s.AskQuestion(c, component.AskQuestion{
		Title: uirules.ResumeTitle.In(l), Text: uirules.ResumeText.In(l), Action: kit.Root + "/rules/resume",
		Do: uirules.Resume.In(l), Back: kit.Root + "/rules",
	})
}

// resumeCalling turns the kill switch off.
func (s handlers) resumeCalling(c echo.Context) error {
	return s.setKillSwitch(c, false, uirules.SaidResumed.In(kit.RequestVisitor(c).Lang))
}

func (s handlers) setKillSwitch(c echo.Context, stopped bool, said string) error {
	err := s.UseCases.SetKillSwitch(c.Request().Context(), kit.RequestCaller(c), stopped)
	return kit.RedirectAfter(c, err, kit.Root+"/rules", said)
}
