package console

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
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
		return newFormError(err)
	}
	kept, err := s.requestRules(c)
	if err != nil {
		return err
	}
	rules, typed := parseRulesForm(form)
	shown := readShown(c, rulesPart)
	_, err = s.UseCases.ReplaceRules(c.Request().Context(), requestCaller(c), rules, nil, shown.isUnchanged)
	var broken *service.ViolationError
	switch {
	case errors.As(err, &broken):
		typed.Faults, typed.Revision = explainRules(broken.Violations, w), shown.revision
		return s.rulesPage(c, http.StatusUnprocessableEntity, typed, kept)
	case isStale(err):
		typed.ReplacedSetting = shown.conflictWith(ruleValues(rulesView(shown.kept), v.Lang), ruleValues(typed, v.Lang))
		return s.rulesPage(c, http.StatusConflict, typed, shown.kept)
	case err != nil:
		return err
	}
	flashMessage(c, w.SaidSaved)
	return redirectTo(c, Root+"/rules")
}

// rulesPart returns what the form of the rules replaces: all but the kill switch.
func rulesPart(r callrules.CallRules) any {
	r.KillSwitch, r.UpdatedAt = false, time.Time{}
	return r
}

// ruleValues returns the values of the form's fields.
func ruleValues(p page.RulesView, l locale.Language) []formValue {
	w, switches := locale.RulesIn(l), locale.ConflictIn(l)
	hours := w.Always
	if !p.Always {
		hours = hoursText(p.Days, w)
	}
	recording := map[string]string{"on": w.RecordOn, "announce": w.RecordAnnounce, "off": w.RecordOff}
	return []formValue{
		{w.Zone, p.Zone},
		{w.City, cityLabel(p.City, l)},
		{w.Hours, hours},
		{w.Holidays, p.Holidays},
		{w.PerDay, p.PerDay},
		{w.PerWeek, p.PerWeek},
		{w.Allowed, p.Allowed},
		{w.Blocked, p.Blocked},
		{w.Caller, p.Caller},
		{w.Invalid, switches.SwitchText(p.Invalid)},
		{w.Recording, recording[p.Recording]},
		{w.TextForm, map[bool]string{false: w.Spoken, true: w.Written}[p.Written]},
		{w.Numerals, map[bool]string{false: w.LatinDigits, true: w.ArabicDigits}[p.ArabicIndic]},
		{w.Redact, switches.SwitchText(p.Redact)},
		{w.Disclosure, p.Disclosure},
		{w.Consent, p.Consent},
		{w.Lines, p.Lines},
		{w.Keep + ": " + w.KeepAudio, p.KeepAudio},
		{w.Keep + ": " + w.KeepText, p.KeepText},
	}
}

// hoursText returns the open hours of a week, a day on each line.
func hoursText(days []page.RulesDay, w locale.RulesWords) string {
	var lines []string
	for _, day := range days {
		line := w.WeekdayName(day.Key) + ":"
		for _, slot := range day.Slots {
			if slot != (page.RulesSlot{}) {
				line += " \u2066" + slot.From + "–" + slot.To + "\u2069"
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
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
