package rules

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/store/callrules"
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
	p := rulesView(rules)
	p.ReplacedSetting = kit.ReplacedSetting(rules, rulesPart)
	return s.rulesPage(c, http.StatusOK, p, rules)
}

// rulesPage renders the form; the kill switch is that of the stored rules.
func (s handlers) rulesPage(c echo.Context, status int, p uirules.View, kept callrules.CallRules) error {
	v := kit.RequestVisitor(c)
	p.ConsolePage = s.ConsoleFrame(c, locale.RulesTitle.In(v.Lang))
	p.Styles, p.Module = append(p.Styles, "css/console-flows.css"), "js/console-rules.js"
	p.Stopped, p.Cities = kept.KillSwitch, cityChoices(v.Lang)
	p.MayStop, p.MayChange = v.User.Role.Allows(account.Operator), v.User.Role.Allows(account.Owner)
	return kit.RenderPage(c, status, uirules.Page(p))
}

// rulesView returns the form's values of rules.
func rulesView(r callrules.CallRules) uirules.View {
	if r.Recording == "" {
		r.Recording = callrules.RecordOn
	}
	p := uirules.View{
		Zone: r.TimeZone, City: r.City, Always: len(r.CallingHours) == 0, Holidays: strings.Join(r.Holidays, "\n"),
		PerDay: kit.FormatPositive(r.AttemptsPerDay), PerWeek: kit.FormatPositive(r.AttemptsPerWeek),
		Allowed: strings.Join(r.AllowedPrefixes, "\n"), Blocked: strings.Join(r.BlockedPrefixes, "\n"),
		Invalid: r.SuppressInvalid, Recording: string(r.Recording), Disclosure: r.Disclosure, Consent: r.ConsentBasis,
		Caller: r.CallerNumber, Lines: kit.FormatPositive(r.MaxConcurrent),
		KeepAudio: kit.FormatPositive(r.RetentionDays.Audio),
		KeepText:  kit.FormatPositive(r.RetentionDays.Transcript), Written: r.TextForm == "written",
		ArabicIndic: r.Numerals == "arab", Redact: r.Redact,
	}
	for _, day := range callrules.AllWeekdays() {
		p.Days = append(p.Days, dayView(day, r.CallingHours[day], p.Always))
	}
	return p
}

// cityChoices returns the cities to choose, with their names in a language.
func cityChoices(l locale.Language) []uirules.CityChoice {
	cities := callrules.AllCities()
	out := make([]uirules.CityChoice, len(cities))
	for i, c := range cities {
		out[i] = uirules.CityChoice{Name: c.Name, Label: cityLabel(c.Name, l)}
	}
	return out
}

// cityLabel returns a city's name in a language, by its name in settings.
func cityLabel(name string, l locale.Language) string {
	c, _ := callrules.FindCity(name)
	if l == locale.Arabic {
		return c.Arabic
	}
	return c.English
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
