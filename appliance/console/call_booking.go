package console

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

// bookingForm is a booking as typed in a form.
type bookingForm struct {
	Number, Scenario string
	At               string // "2006-01-02T15:04" in the organization's zone, or RFC 3339; empty: now
	Tries, Delays    string // empty: those of the scenario
	Variables        map[string]any
	Metadata         map[string]string

	confirmed map[string]bool // doubts that the form confirms
	doubts    []valueDoubt    // of the values
}

// bookingContext is the data to parse an organization's booking forms and to explain their violations.
type bookingContext struct {
	rules     callrules.CallRules
	zone      *time.Location
	scenarios []scenario.Scenario
	now       time.Time
	lang      locale.Language
	region    string // of numbers without a country code
}

func (s *ConsoleService) newBookingContext(c echo.Context) (bookingContext, error) {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	rules, err := s.RequestRules(c)
	if err != nil {
		return bookingContext{}, err
	}
	scenarios, err := s.ListScenariosFor(ctx, v)
	return bookingContext{
		rules, kit.RulesZone(rules), scenarios, s.Now().UTC(), v.Lang, s.NumberRegion(c),
	}, err
}

// ScenarioLabels returns the display names of the organization's scenarios.
func (k bookingContext) scenarioLabels() kit.ScenarioLabels {
	return kit.ScenarioLabels{Scenarios: k.scenarios, Lang: k.lang}
}

// readVariables reads the typed values of a booking by their types, dates of the Hijri calendar too, and returns the
// doubts about them. Values that cannot be read are left as typed.
func (k bookingContext) readVariables(f *bookingForm) []valueDoubt {
	plan, _ := kit.FindScenario(k.scenarios, f.Scenario)
	rules := contactfile.ReadingRules{Region: k.region, Today: k.now.In(k.zone)}
	if at, ok := kit.ParseFormTime(f.At, k.zone); ok && at.After(k.now) {
		rules.Today = at.In(k.zone)
	}
	var doubts []valueDoubt
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
			doubts = append(doubts, valueDoubt{v.Name, text, read.Value, read.Doubt})
		}
	}
	return append(doubts, missingValues(plan.SpokenVariables(), f.Variables)...)
}

// refuseDoubts returns violations for doubtful values that the form does not confirm.
func (k bookingContext) refuseDoubts(f bookingForm, doubts []valueDoubt) service.FieldViolations {
	plan, _ := kit.FindScenario(k.scenarios, f.Scenario)
	var found service.FieldViolations
	for _, one := range unconfirmed(doubts, f.confirmed) {
		field := "variables." + one.variable
		if one.doubt.CanConfirm() {
			field = confirmField + "." + one.confirmation()
		}
		found.AddReason(malformedInput, field, "%s", one.explain(plan, k.lang))
	}
	return found
}

// malformedInput marks a violation that was found while a form was parsed: its message is a sentence for the page.
const malformedInput strictjson.Reason = "typed"

// parseBooking returns the booking request of a form, with violations for fields that cannot be parsed.
func (k bookingContext) parseBooking(f bookingForm) service.BookingRequest {
	r := service.BookingRequest{ScenarioID: f.Scenario, Variables: f.Variables, Metadata: f.Metadata}
	wrong := func(field, sentence string) {
		r.Violations = append(r.Violations, service.FieldViolation{Field: field, Message: sentence, Reason: malformedInput})
	}
	r.PhoneNumber, _ = kit.LocalNumber(f.Number, k.region)
	if f.At != "" {
		at, ok := kit.ParseFormTime(f.At, k.zone)
		if !ok {
			wrong("scheduled_at", calls.BadTime.In(k.lang))
		} else if at.Before(k.now) && !at.Before(k.now.Add(-pastTolerance)) {
			at = k.now
		}
		r.ScheduledAt = &at
	}
	if f.Tries == "" && f.Delays == "" {
		return r
	}
	plan, _ := kit.FindScenario(k.scenarios, f.Scenario)
	tries, delays := retryPlanOf(plan)
	if f.Tries != "" {
		var err error
		if tries, err = strconv.Atoi(kit.WesternDigits(f.Tries)); err != nil {
			wrong("retry.max_attempts", calls.BadTries.In(k.lang))
		}
	}
	if f.Delays != "" {
		var ok bool
		if delays, ok = uiform.ParseNumbers(f.Delays); !ok {
			wrong("retry.delay_minutes", calls.BadDelays.In(k.lang))
		}
	}
	r.Retry = &service.RetryRequest{MaxAttempts: &tries, DelayMinutes: delays}
	return r
}

// retryPlanOf returns a scenario's retry plan.
func retryPlanOf(plan scenario.Scenario) (attempts int, delays []int) {
	if plan.Retry == nil {
		return 1, nil
	}
	return max(plan.Retry.MaxAttempts, 1), plan.Retry.DelayMinutes
}

// explainBooking returns a sentence for each field of a form that breaks a rule.
func (k bookingContext) explainBooking(f bookingForm, found service.FieldViolations) map[string]string {
	plan, _ := kit.FindScenario(k.scenarios, f.Scenario)
	faults := map[string]string{}
	for _, v := range found {
		switch field, _, _ := strings.Cut(v.Field, "."); {
		case v.Reason == malformedInput || field == "":
			faults[v.Field] = v.Message
		case field == "variables" && v.Field != field:
			maps.Copy(faults, explainVariables(plan, f.Variables, k.lang))
		default:
			name, sentence := k.explainField(v)
			faults[name] = sentence
		}
	}
	return faults
}

// explainField returns the form field and the sentence for a violation.
func (k bookingContext) explainField(v service.FieldViolation) (name, sentence string) {
	switch {
	case v.Reason == service.Unspeakable:
		return v.Field, strings.ReplaceAll(calls.Unspoken.In(k.lang), "{line}", kit.QuotedLine(v.Message))
	case v.Reason == service.NeverOpen:
		return v.Field, calls.NeverOpen.In(k.lang)
	case strings.HasPrefix(v.Field, "retry.delay_minutes"):
		return "retry.delay_minutes", calls.BadDelays.In(k.lang)
	}
	text, known := map[string]locale.Text{
		"phone_number": calls.BadNumber, "scenario_id": calls.BadScenario,
		"scheduled_at":       calls.BadTimeWindow,
		"retry.max_attempts": calls.BadTries,
	}[v.Field]
	if !known {
		return "scenario_id", calls.BadExtras.In(k.lang)
	}
	return v.Field, text.In(k.lang)
}

// pastTolerance is how far in the past a typed time may be to count as now: the field has whole minutes, and filling in
// the form takes a while.
const pastTolerance = 2 * time.Minute
