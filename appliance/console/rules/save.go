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
	"munadi/ui/locale"
	uirules "munadi/ui/rules"
)

// saveRules replaces the dialling rules, except the kill switch, which has its own buttons.
func (s handlers) saveRules(c echo.Context) error {
	v := kit.RequestVisitor(c)
	form, err := c.FormParams()
	if err != nil {
		return kit.NewFormError(err)
	}
	kept, err := s.RequestRules(c)
	if err != nil {
		return err
	}
	rules, typed := parseRulesForm(form, s.NumberRegion(c))
	shown := kit.ReadShown(c, rulesPart)
	_, err = s.UseCases.ReplaceRules(c.Request().Context(), kit.RequestCaller(c), rules, nil, shown.IsUnchanged)
	var broken *service.ViolationError
	switch {
	case errors.As(err, &broken):
		typed.Faults, typed.Revision = explainRules(broken.Violations, v.Lang), shown.Revision
		return s.rulesPage(c, http.StatusUnprocessableEntity, typed, kept)
	case kit.IsStale(err):
		typed.ReplacedSetting = shown.ConflictWith(ruleValues(rulesView(shown.Kept), v.Lang), ruleValues(typed, v.Lang))
		return s.rulesPage(c, http.StatusConflict, typed, shown.Kept)
	case err != nil:
		return err
	}
	kit.FlashMessage(c, uirules.SaidSaved.In(v.Lang))
	return kit.RedirectTo(c, kit.Root+"/rules")
}

// rulesPart returns what the form of the rules replaces: all but the kill switch.
func rulesPart(r callrules.CallRules) any {
	r.KillSwitch, r.UpdatedAt = false, time.Time{}
	return r
}

// ruleValues returns the values of the form's fields.
func ruleValues(p uirules.View, l locale.Language) []kit.FormValue {
	hours := uirules.Always.In(l)
	if !p.Always {
		hours = hoursText(p.Days, l)
	}
	recording := map[string]string{
		"on": uirules.RecordOn.In(l), "announce": uirules.RecordAnnounce.In(l), "off": uirules.RecordOff.In(l),
	}
	return []kit.FormValue{
		{locale.KitTimeZone.In(l), p.Zone},
		{uirules.City.In(l), cityLabel(p.City, l)},
		{uirules.Hours.In(l), hours},
		{uirules.Holidays.In(l), p.Holidays},
		{uirules.PerDay.In(l), p.PerDay},
		{uirules.PerWeek.In(l), p.PerWeek},
		{uirules.Allowed.In(l), p.Allowed},
		{uirules.Blocked.In(l), p.Blocked},
		{uirules.Caller.In(l), p.Caller},
		{uirules.Invalid.In(l), locale.SwitchText(l, p.Invalid)},
		{uirules.Recording.In(l), recording[p.Recording]},
		{uirules.TextForm.In(l), map[bool]locale.Text{false: uirules.Spoken, true: uirules.Written}[p.Written].In(l)},
		{
			uirules.Numerals.In(l),
			map[bool]locale.Text{false: uirules.LatinDigits, true: uirules.ArabicDigits}[p.ArabicIndic].In(l),
		},
		{uirules.Redact.In(l), locale.SwitchText(l, p.Redact)},
		{uirules.Disclosure.In(l), p.Disclosure},
		{uirules.Consent.In(l), p.Consent},
		{uirules.Lines.In(l), p.Lines},
		{uirules.Keep.In(l) + ": " + uirules.KeepAudio.In(l), p.KeepAudio},
		{uirules.Keep.In(l) + ": " + uirules.KeepText.In(l), p.KeepText},
	}
}

// hoursText returns the open hours of a week, a day on each line.
func hoursText(days []uirules.DayRow, l locale.Language) string {
	var lines []string
	for _, day := range days {
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
	if err := s.UseCases.SetKillSwitch(c.Request().Context(), kit.RequestCaller(c), stopped); err != nil {
		return err
	}
	kit.FlashMessage(c, said)
	return kit.RedirectTo(c, kit.Root+"/rules")
}
