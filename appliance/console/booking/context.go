// Package booking reads what is typed to book calls, one or a file of them: values with doubts, which are named and
// confirmed, and the sentences for what is refused. The sections of calls, campaigns and scenarios share it.
package booking

import (
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/contactfile"
	"munadi/appliance/service"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/store/strictjson"
	"munadi/ui/calls"
	uiform "munadi/ui/form"
	"munadi/ui/locale"
)

// Form is a booking as typed in a form.
type Form struct {
	Number, Scenario string
	At               string // "2006-01-02T15:04" in the organization's zone, or RFC 3339; empty: now
	Tries, Delays    string // empty: those of the scenario
	Variables        map[string]any
	Metadata         map[string]string

	Confirmed map[string]bool // doubts that the form confirms
	Doubts    []UnsureValue   // of the values
}

// Context is the data to parse an organization's booking forms and to Explain their violations.
type Context struct {
	Rules     callrules.CallRules
	Zone      *time.Location
	Scenarios []scenario.Scenario
	Now       time.Time
	Lang      locale.Language
	Region    string // of numbers without a country code
}

// NewContext returns the context of a request.
func NewContext(s *kit.Console, c echo.Context) (Context, error) {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	rules, err := s.RequestRules(c)
	if err != nil {
		return Context{}, err
	}
	scenarios, err := s.ListScenariosFor(ctx, v)
	return Context{
		rules, kit.RulesZone(rules), scenarios, s.Now().UTC(), v.Lang, s.NumberRegion(c),
	}, err
}

// Labels returns the display names of the organization's scenarios.
func (k Context) Labels() kit.ScenarioLabels {
	return kit.ScenarioLabels{Scenarios: k.Scenarios, Lang: k.Lang}
}

// ReadVariables reads the typed values of a booking by their types, dates of the Hijri calendar too, and returns the
// doubts about them. Values that cannot be read are left as typed.
func (k Context) ReadVariables(f *Form) []UnsureValue {
	plan, _ := kit.FindScenario(k.Scenarios, f.Scenario)
	rules := contactfile.ReadingRules{Region: k.Region, Today: k.Now.In(k.Zone)}
	if at, ok := kit.ParseFormTime(f.At, k.Zone); ok && at.After(k.Now) {
		rules.Today = at.In(k.Zone)
	}
	var doubts []UnsureValue
	for _, v := range plan.Variables {
		text, typed := f.Variables[v.Name].(string)
		if !typed || text == "" {
			continue
		}
		rules.Choices = v.Choices
		read := contactfile.ReadValue(text, contactfile.ValueKind(plan.SpokenType(v)), rules)
		if read.Hijri && read.Doubt == "" {
			read.Doubt = contactfile.HijriDay
		}
		if f.Variables[v.Name] = read.Value; read.Doubt != "" {
			doubts = append(doubts, UnsureValue{v.Name, text, read.Value, read.Doubt})
		}
	}
	return append(doubts, MissingValues(plan.SpokenVariables(), f.Variables)...)
}

// RefuseDoubts returns violations for doubtful values that the form does not confirm.
func (k Context) RefuseDoubts(f Form, doubts []UnsureValue) service.FieldViolations {
	plan, _ := kit.FindScenario(k.Scenarios, f.Scenario)
	var found service.FieldViolations
	for _, one := range ListUnconfirmed(doubts, f.Confirmed) {
		field := "variables." + one.Variable
		if one.Doubt.CanConfirm() {
			field = ConfirmField + "." + one.Confirmation()
		}
		found.AddReason(MalformedInput, field, "%s", one.Explain(plan, k.Lang))
	}
	return found
}

// MalformedInput marks a Violation that was found while a form was parsed: its message is a sentence for the page.
const MalformedInput strictjson.Reason = "typed"

// ParseBooking returns the booking request of a form, with violations for fields that cannot be parsed.
func (k Context) ParseBooking(f Form) service.BookingRequest {
	r := service.BookingRequest{ScenarioID: f.Scenario, Variables: f.Variables, Metadata: f.Metadata}
	wrong := func(field, sentence string) {
		r.Violations = append(r.Violations, service.FieldViolation{Field: field, Message: sentence, Reason: MalformedInput})
	}
	r.PhoneNumber, _ = kit.LocalNumber(f.Number, k.Region)
	if f.At != "" {
		at, ok := kit.ParseFormTime(f.At, k.Zone)
		if !ok {
			wrong("scheduled_at", calls.BadTime.In(k.Lang))
		} else if at.Before(k.Now) && !at.Before(k.Now.Add(-PastTolerance)) {
			at = k.Now
		}
		r.ScheduledAt = &at
	}
	if f.Tries == "" && f.Delays == "" {
		return r
	}
	plan, _ := kit.FindScenario(k.Scenarios, f.Scenario)
	tries, delays := RetryPlanOf(plan)
	if f.Tries != "" {
		var err error
		if tries, err = strconv.Atoi(kit.WesternDigits(f.Tries)); err != nil {
			wrong("retry.max_attempts", calls.BadTries.In(k.Lang))
		}
	}
	if f.Delays != "" {
		var ok bool
		if delays, ok = uiform.ParseNumbers(f.Delays); !ok {
			wrong("retry.delay_minutes", calls.BadDelays.In(k.Lang))
		}
	}
	r.Retry = &service.RetryRequest{MaxAttempts: &tries, DelayMinutes: delays}
	return r
}

// RetryPlanOf returns a scenario's retry plan.
func RetryPlanOf(plan scenario.Scenario) (attempts int, delays []int) {
	if plan.Retry == nil {
		return 1, nil
	}
	return max(plan.Retry.MaxAttempts, 1), plan.Retry.DelayMinutes
}

// ExplainBooking returns a sentence for each field of a form that breaks a rule.
func (k Context) ExplainBooking(f Form, found service.FieldViolations) map[string]string {
	plan, _ := kit.FindScenario(k.Scenarios, f.Scenario)
	faults := map[string]string{}
	for _, v := range found {
		switch field, _, _ := strings.Cut(v.Field, "."); {
		case v.Reason == MalformedInput || field == "":
			faults[v.Field] = v.Message
		case field == "variables" && v.Field != field:
			maps.Copy(faults, ExplainVariables(plan, f.Variables, k.Lang))
		default:
			name, sentence := k.explainField(v)
			faults[name] = sentence
		}
	}
	return faults
}

// explainField returns the form field and the sentence for a Violation.
func (k Context) explainField(v service.FieldViolation) (name, sentence string) {
	switch {
	case v.Reason == service.Unspeakable:
		return v.Field, strings.ReplaceAll(calls.Unspoken.In(k.Lang), "{line}", kit.QuotedLine(v.Message))
	case v.Reason == service.NeverOpen:
		return v.Field, calls.NeverOpen.In(k.Lang)
	case strings.HasPrefix(v.Field, "retry.delay_minutes"):
		return "retry.delay_minutes", calls.BadDelays.In(k.Lang)
	}
	text, known := map[string]locale.Text{
		"phone_number": calls.BadNumber, "scenario_id": calls.BadScenario,
		"scheduled_at":       calls.BadTimeWindow,
		"retry.max_attempts": calls.BadTries,
	}[v.Field]
	if !known {
		return "scenario_id", calls.BadExtras.In(k.Lang)
	}
	return v.Field, text.In(k.Lang)
}

// PastTolerance is how far in the past a typed time may be to count as now: the field has whole minutes, and filling in
// the form takes a while.
const PastTolerance = 2 * time.Minute
