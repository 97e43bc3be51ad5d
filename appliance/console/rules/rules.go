package rules

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/callrules"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
	uirules "munadi/ui/rules"
)

// minDaySlots is the least number of slots shown for a weekday, one of them empty.
const minDaySlots = 2

// showRules shows the organization's dialling rules.
func (s handlers) showRules(c echo.Context) error {
	rules, err := s.ReadRules(c)
	if err != nil {
		return err
	}
	p := rulesView(rules, kit.RequestVisitor(c).Lang)
	p.ReplacedSetting = kit.ReplacedSetting(rules, rulesPart)
	return s.rulesPage(c, http.StatusOK, p, rules)
}

// rulesPage renders the form; the kill switch is that of the stored rules.
func (s handlers) rulesPage(c echo.Context, status int, p uirules.View, kept callrules.CallRules) error {
	v := kit.RequestVisitor(c)
	p.ConsolePage = s.ConsoleFrame(c, locale.RulesTitle.In(v.Lang))
	p.Styles, p.Module = append(p.Styles, "css/console-flows.css"), "js/console-rules.js"
	p.Stopped = kept.KillSwitch
	p.MayStop, p.MayChange = v.User.Role.Allows(account.Operator), v.User.Role.Allows(account.Owner)
	return kit.RenderPage(c, status, uirules.Page(p))
}

// rulesView returns the form of rules.
func rulesView(r callrules.CallRules, l locale.Language) uirules.View {
	p := weekView(r.CallingHours, len(r.CallingHours) == 0)
	p.Form = uirules.BindRules(form.NewBinder(l, nil, nil), &r)
	return p
}

// weekView returns the page with the hours of a week.
func weekView(hours callrules.CallingHours, always bool) (p uirules.View) {
	p.Always = always
	for _, day := range callrules.AllWeekdays() {
		p.Days = append(p.Days, dayView(day, hours[day], always))
	}
	return p
}

// dayView returns a weekday's row with an empty slot at its end.
func dayView(day callrules.Weekday, slots []callrules.HourSlot, always bool) uirules.DayRow {
	d := uirules.DayRow{Key: string(day)}
	for _, slot := range slots {
		d.Slots = append(d.Slots, uirules.SlotRow{From: slot.From, To: slot.To})
		from, fromOK := parseClockMinute(slot.From)
		to, toOK := parseClockMinute(slot.To)
		if fromOK && toOK && from < to {
			d.Open = append(d.Open, uirules.MinuteRange{From: from, To: to})
		}
	}
	for len(d.Slots) < max(minDaySlots, len(slots)+1) {
		d.Slots = append(d.Slots, uirules.SlotRow{})
	}
	if always {
		d.Open = []uirules.MinuteRange{{From: 0, To: 24 * 60}}
	}
	return d
}

// parseClockMinute parses "HH:MM" as minutes since midnight.
func parseClockMinute(clock string) (int, bool) {
	if clock == "24:00" {
		return 24 * 60, true
	}
	t, err := time.Parse("15:04", clock)
	return t.Hour()*60 + t.Minute(), err == nil
}

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

// The rules that are proposed.
const (
	proposedAttempts  = 2  // a day to a number
	proposedRetention = 90 // days
)

// proposals change the rules, by name; a rule that was set meanwhile stays.
var proposals = map[string]func(*callrules.CallRules){
	uirules.ProposeHours: func(r *callrules.CallRules) {
		if len(r.CallingHours) == 0 {
			r.CallingHours = uirules.WorkingWeek()
		}
	},
	uirules.ProposeAttempts: func(r *callrules.CallRules) {
		if r.AttemptsPerDay == 0 {
			r.AttemptsPerDay = proposedAttempts
		}
	},
	uirules.ProposeRetention: func(r *callrules.CallRules) {
		if r.RetentionDays.Audio == 0 && r.RetentionDays.Transcript == 0 {
			r.RetentionDays.Audio, r.RetentionDays.Transcript = proposedRetention, proposedRetention
		}
	},
}

// takeProposal sets one of the proposed rules.
func (s handlers) takeProposal(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	propose, known := proposals[c.FormValue("rule")]
	if !known {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, uirules.ProposalUnknown.In(l))
	}
	_, err := s.UseCases.PatchRules(
		c.Request().Context(), kit.RequestCaller(c), nil,
		func(kept callrules.CallRules) (callrules.CallRules, service.FieldViolations, error) {
			propose(&kept)
			return kept, nil, nil
		},
	)
	return kit.RedirectAfter(c, err, kit.SafeNextPath(c.FormValue("next")), uirules.SaidSaved.In(l))
}
