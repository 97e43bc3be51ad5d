package calls

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	uiform "munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// newCall shows the booking form.
func (s handlers) newCall(c echo.Context) error {
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return err
	}
	w := booking.Form{Scenario: c.QueryParam("scenario"), Number: c.QueryParam("number")}
	return s.newCallPage(c, http.StatusOK, k, w, uuid.NewString(), nil)
}

// bookCall books a call from the form. A form that is submitted twice books once (idempotency key).
func (s handlers) bookCall(c echo.Context) error {
	ctx := c.Request().Context()
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return err
	}
	f, once := parseBookingForm(c), c.FormValue("once")
	f.Confirmed = booking.ReadConfirmed(c)
	if uuid.Validate(once) != nil {
		return kit.RefuseForm("the form is out of date; load the page again")
	}
	if c.FormValue("other") != "" { // another scenario was selected: the other fields are kept
		f.Tries, f.Delays = "", ""
		return s.newCallPage(c, http.StatusOK, k, f, once, nil)
	}
	doubts := k.ReadVariables(&f)
	r := k.ParseBooking(f)
	r.Violations = append(r.Violations, k.RefuseDoubts(f, doubts)...)
	// A repeat gets the id of the first booking.
	r.Once = &service.IdempotencyKey{
		Key: "console:" + once, Answer: func(booked call.Call) ([]byte, error) { return []byte(booked.ID), nil },
	}
	if c.FormValue("when") == "now" && c.FormValue("at") != "" {
		f.At = c.FormValue("at")
		r.Violations = append(r.Violations,
			service.FieldViolation{Field: "scheduled_at", Message: calls.NowOrThen.In(k.Lang), Reason: booking.MalformedInput})
	}
	booked, err := s.UseCases.BookCall(ctx, kit.RequestCaller(c), r)
	if broken, ok := errors.AsType[*service.ViolationError](err); ok {
		f.Doubts = doubts
		return s.newCallPage(c, http.StatusUnprocessableEntity, k, f, once, k.ExplainBooking(f, broken.Violations))
	}
	if err != nil {
		return err
	}
	if !booked.Repeated {
		kit.FlashMessage(c, calls.Booked.In(k.Lang))
	}
	return kit.OpenBooked(c, booked.Call)
}

// parseBookingForm reads the form. Empty fields count as absent.
func parseBookingForm(c echo.Context) booking.Form {
	w := booking.Form{
		Number: c.FormValue("phone_number"), Scenario: c.FormValue("scenario_id"), Tries: c.FormValue("max_attempts"),
		Delays: c.FormValue("delay_minutes"), Variables: map[string]any{},
	}
	if c.FormValue("when") == "at" {
		if w.At = c.FormValue("at"); w.At == "" {
			w.At = "?"
		}
	}
	for field, values := range kit.SentForm(c) {
		if name, is := strings.CutPrefix(field, "var."); is && name != "" && values[0] != "" {
			w.Variables[name] = values[0]
		}
	}
	return w
}

func (s handlers) newCallPage(
	c echo.Context, status int, k booking.Context, f booking.Form, once string, faults map[string]string,
) error {
	bookable := kit.BookableScenarios(k.Scenarios)
	plan := kit.FindScenarioOrFirst(bookable, f.Scenario)
	tries, delays := booking.RetryPlanOf(plan)
	if n, err := strconv.Atoi(kit.WesternDigits(f.Tries)); err == nil {
		tries = n
	}
	p := calls.NewCall{
		ConsolePage: s.ConsoleFrame(c, calls.NewTitle.In(k.Lang)),
		Scenarios:   kit.ScenarioChoices(bookable, plan.ID),
		Scenario:    plan.ID, Number: f.Number, Later: f.At != "", At: strings.Trim(f.At, "?"), Zone: k.Zone.String(),
		Earliest: k.Now.In(k.Zone).Format(kit.DatetimeLocal),
		Latest:   k.Now.Add(call.MaxAhead).In(k.Zone).Format(kit.DatetimeLocal),
		Tries:    tries, Delays: f.Delays, Once: once, Variables: callVariables(plan, f.Variables, k.Lang),
		Days: kit.OpenDays(k.Rules, plan, k.Zone, k.Now, k.Lang), Faults: faults,
	}
	for _, one := range f.Doubts {
		if one.Doubt.CanConfirm() {
			p.Confirm.Sentences = append(p.Confirm.Sentences, one.Explain(plan, k.Lang))
			p.Confirm.Value += one.Confirmation() + " "
		}
	}
	if p.Delays == "" {
		p.Delays = uiform.FormatNumbers(delays)
	}
	return kit.RenderPage(c, status, calls.NewCallPage(p))
}

func callVariables(plan scenario.Scenario, given map[string]any, l locale.Language) []calls.CallVariable {
	all := make([]calls.CallVariable, len(plan.Variables))
	for i, v := range plan.Variables {
		value, ok := given[v.Name].(string)
		if !ok {
			value = v.Default
		}
		all[i] = calls.CallVariable{
			Name: v.Name, Label: scenarios.LabelText(l, v.Label, v.Name), Description: kit.DescriptionIn(l, v.Description),
			Field: booking.VariableField(l, v, "var-"+v.Name, "var."+v.Name, value),
		}
	}
	return all
}
