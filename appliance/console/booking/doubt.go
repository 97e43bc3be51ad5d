package booking

import (
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/contactfile"
	"munadi/appliance/hijri"
	"munadi/appliance/service"
	"munadi/store/scenario"
	"munadi/store/strictjson"
	"munadi/ui/campaigns"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// UnsureValue is a value of a booking that is read with a doubt.
type UnsureValue struct {
	Variable string
	Text     string // as typed; empty: missing
	Value    string // as read
	Doubt    contactfile.ValueDoubt
}

// Confirmation returns the value of the checkbox that confirms values with this doubt.
func (d UnsureValue) Confirmation() string { return string(d.Doubt) + "." + d.Variable }

// Explain returns the doubt as a sentence.
func (d UnsureValue) Explain(plan scenario.Scenario, l locale.Language) string {
	return locale.FillSentence(campaigns.DoubtAbout(l, string(d.Doubt)),
		"name", VariableName(plan, d.Variable, l), "value", d.Text, "read", ReadableValue(d.Value, l))
}

// DoubtMessages are the beginnings of a doubt's Violation, which the API shows of a skipped row; the text and the value
// follow. From them the campaign's page finds the sentence in its language.
var DoubtMessages = map[contactfile.ValueDoubt]string{
	contactfile.Unreadable:   "cannot be read",
	contactfile.NoSuchDay:    "is not a day of the calendar",
	contactfile.RelativeDay:  "depends on the day on which it was written",
	contactfile.HourMissing:  "names no hour",
	contactfile.OrderUnknown: "has day and month in an unknown order",
	contactfile.ClockUnknown: "does not say whether it is in the morning",
	contactfile.YearAssumed:  "has no year",
	contactfile.PastDay:      "has passed",
	contactfile.FarDay:       "is more than two years away",
	contactfile.NightTime:    "is at night",
	contactfile.MissingValue: "is missing, and the call speaks it",
}

// Violation returns the doubt as a fault of the row.
func (d UnsureValue) Violation() service.FieldViolation {
	message := DoubtMessages[d.Doubt]
	if d.Text != "" {
		message += ": " + d.Text + " → " + d.Value
	}
	return service.FieldViolation{Field: "variables." + d.Variable, Reason: strictjson.Reason(d.Doubt), Message: message}
}

// findDoubt returns the doubt of a Violation of a variable; false if it is another one.
func findDoubt(variable, message string) (UnsureValue, bool) {
	for doubt, begin := range DoubtMessages {
		if rest, is := strings.CutPrefix(message, begin); is && (rest == "" || strings.HasPrefix(rest, ": ")) {
			text, value, _ := strings.Cut(strings.TrimPrefix(rest, ": "), " → ")
			return UnsureValue{variable, text, value, doubt}, true
		}
	}
	return UnsureValue{}, false
}

// VariableName returns the display name of a variable.
func VariableName(plan scenario.Scenario, name string, l locale.Language) string {
	for _, v := range plan.Variables {
		if v.Name == name {
			return scenarios.LabelText(l, v.Label, name)
		}
	}
	return name
}

// ReadableValue returns a value as people read it: a day in both calendars; any other value as it is.
func ReadableValue(value string, l locale.Language) string {
	day, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return value
	}
	text := locale.DayText(l, day)
	if h, ok := hijri.FromGregorian(day); ok {
		text += " (" + locale.HijriText(l, h.Year, h.Month, h.Day) + ")"
	}
	return text
}

// ConfirmField is the form field that confirms doubtful values: of a single booking all of them, separated by
// spaces; of a campaign one field for each kind and variable.
const ConfirmField = "confirm"

// ReadConfirmed returns the doubts that a form confirms.
func ReadConfirmed(c echo.Context) map[string]bool {
	confirmed := map[string]bool{}
	sent := kit.SentForm(c)
	for _, one := range strings.Fields(sent.Get(ConfirmField)) {
		confirmed[one] = true
	}
	for field := range sent {
		if one, is := strings.CutPrefix(field, ConfirmField+"."); is {
			confirmed[one] = true
		}
	}
	return confirmed
}

// MissingValues returns doubts for the values that a call speaks and a booking lacks. Required ones are left out, since
// the booking is refused without them.
func MissingValues(spoken []scenario.ScenarioVariable, given map[string]any) []UnsureValue {
	var found []UnsureValue
	for _, v := range spoken {
		if value := given[v.Name]; !v.Required && (value == nil || value == "") {
			found = append(found, UnsureValue{Variable: v.Name, Doubt: contactfile.MissingValue})
		}
	}
	return found
}

// ListUnconfirmed returns the doubts that forbid a booking: those that nobody confirmed or can confirm.
func ListUnconfirmed(all []UnsureValue, confirmed map[string]bool) []UnsureValue {
	var left []UnsureValue
	for _, one := range all {
		if !one.Doubt.CanConfirm() || !confirmed[one.Confirmation()] {
			left = append(left, one)
		}
	}
	return left
}
