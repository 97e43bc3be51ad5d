package console

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/ui/calls"
	uiform "munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// openDaysShown is the number of days whose calling hours are shown beside the form.
const openDaysShown = 7

// newCall shows the booking form.
func (s *ConsoleService) newCall(c echo.Context) error {
	k, err := s.newBookingContext(c)
	if err != nil {
		return err
	}
	w := bookingForm{Scenario: c.QueryParam("scenario"), Number: c.QueryParam("number")}
	return s.newCallPage(c, http.StatusOK, k, w, uuid.NewString(), nil)
}

// bookCall books a call from the form. A form that is submitted twice books once (idempotency key).
func (s *ConsoleService) bookCall(c echo.Context) error {
	ctx := c.Request().Context()
	k, err := s.newBookingContext(c)
	if err != nil {
		return err
	}
	f, once := parseBookingForm(c), c.FormValue("once")
	f.confirmed = readConfirmed(c)
	if uuid.Validate(once) != nil {
		return kit.RefuseForm("the form is out of date; load the page again")
	}
	if c.FormValue("other") != "" { // another scenario was selected: the other fields are kept
		f.Tries, f.Delays = "", ""
		return s.newCallPage(c, http.StatusOK, k, f, once, nil)
	}
	doubts := k.readVariables(&f)
	r := k.parseBooking(f)
	r.Violations = append(r.Violations, k.refuseDoubts(f, doubts)...)
	r.Once = formIdempotencyKey("console:" + once)
	if c.FormValue("when") == "now" && c.FormValue("at") != "" {
		f.At = c.FormValue("at")
		r.Violations = append(r.Violations,
			service.FieldViolation{Field: "scheduled_at", Message: calls.NowOrThen.In(k.lang), Reason: malformedInput})
	}
	booked, err := s.UseCases.BookCall(ctx, kit.RequestCaller(c), r)
	var broken *service.ViolationError
	if errors.As(err, &broken) {
		f.doubts = doubts
		return s.newCallPage(c, http.StatusUnprocessableEntity, k, f, once, k.explainBooking(f, broken.Violations))
	}
	if err != nil {
		return err
	}
	if !booked.Repeated {
		kit.FlashMessage(c, calls.Booked.In(k.lang))
	}
	if booked.Call.Booking == call.Moved {
		kit.FlashMessage(c, calls.Moved.In(k.lang))
	}
	return kit.RedirectTo(c, calls.CallsPath+"/"+booked.Call.ID)
}

// formIdempotencyKey returns the idempotency key of a form; a repeat gets the id of the first booking.
func formIdempotencyKey(key string) *service.IdempotencyKey {
	return &service.IdempotencyKey{
		Key: key, Answer: func(booked call.Call) ([]byte, error) { return []byte(booked.ID), nil },
	}
}

// parseBookingForm reads the form. Empty fields count as absent.
func parseBookingForm(c echo.Context) bookingForm {
	w := bookingForm{
		Number: c.FormValue("phone_number"), Scenario: c.FormValue("scenario_id"), Tries: c.FormValue("max_attempts"),
		Delays: c.FormValue("delay_minutes"), Variables: map[string]any{},
	}
	if c.FormValue("when") == "at" {
		if w.At = c.FormValue("at"); w.At == "" {
			w.At = "?"
		}
	}
	form, err := c.FormParams()
	if err != nil {
		return w
	}
	for field, values := range form {
		if name, is := strings.CutPrefix(field, "var."); is && name != "" && values[0] != "" {
			w.Variables[name] = values[0]
		}
	}
	return w
}

func (s *ConsoleService) newCallPage(
	c echo.Context, status int, k bookingContext, f bookingForm, once string, faults map[string]string,
) error {
	bookable := kit.BookableScenarios(k.scenarios)
	plan := kit.FindScenarioOrFirst(bookable, f.Scenario)
	tries, delays := retryPlanOf(plan)
	if n, err := strconv.Atoi(kit.WesternDigits(f.Tries)); err == nil {
		tries = n
	}
	p := calls.NewCall{
		ConsolePage: s.ConsoleFrame(c, calls.NewTitle.In(k.lang)),
		Scenarios:   kit.ScenarioChoices(bookable, plan.ID),
		Scenario:    plan.ID, Number: f.Number, Later: f.At != "", At: strings.Trim(f.At, "?"), Zone: k.zone.String(),
		Earliest: k.now.In(k.zone).Format(kit.DatetimeLocal),
		Latest:   k.now.Add(call.MaxAhead).In(k.zone).Format(kit.DatetimeLocal),
		Tries:    tries, Delays: f.Delays, Once: once, Variables: callVariables(plan, f.Variables, k.lang),
		Days: openDays(k.rules, plan, k.zone, k.now, k.lang), Faults: faults,
	}
	for _, one := range f.doubts {
		if one.doubt.CanConfirm() {
			p.Confirm.Sentences = append(p.Confirm.Sentences, one.explain(plan, k.lang))
			p.Confirm.Value += one.confirmation() + " "
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
			Name: v.Name, Label: scenarios.LabelText(l, v.Label, v.Name), Description: v.Description,
			Field: variableField(l, v, "var-"+v.Name, "var."+v.Name, value),
		}
	}
	return all
}

// openDays returns the calling hours of the next days in the organization's time zone. They are sampled every quarter
// of an hour.
func openDays(
	rules callrules.CallRules, plan scenario.Scenario, zone *time.Location, now time.Time, l locale.Language,
) []calls.OpenDay {
	year, month, day := now.In(zone).Date()
	days := make([]calls.OpenDay, openDaysShown)
	for i := range days {
		begin, end := kit.StartOfDay(year, month, day+i, zone), kit.StartOfDay(year, month, day+i+1, zone)
		days[i] = calls.OpenDay{Name: calls.Weekdays[begin.Weekday()].In(l), Date: begin.Format("01-02")}
		for at := begin; at.Before(end); {
			open, ok := callrules.NextOpen(rules, plan.CallingHours, plan.TimeZone, at)
			if !ok || !open.Before(end) {
				break
			}
			shut := open
			for shut.Before(end) && callrules.IsOpen(rules, plan.CallingHours, plan.TimeZone, shut) {
				shut = shut.Add(15 * time.Minute)
			}
			at = kit.LaterTime(shut, open.Add(15*time.Minute))
			span := calls.MinuteSpan{From: minuteOfDay(open.In(zone), end), To: minuteOfDay(shut.In(zone), end)}
			days[i].Open = append(days[i].Open, span)
		}
	}
	return days
}

// minuteOfDay returns a clock time in minutes since 00:00; 24:00 from the end of the day on.
func minuteOfDay(at, end time.Time) int {
	if !at.Before(end) {
		return 24 * 60
	}
	return at.Hour()*60 + at.Minute()
}
