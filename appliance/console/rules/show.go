package rules

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/callrules"
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
