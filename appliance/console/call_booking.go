package console

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"time"

	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/ui/locale"
)

// mostDelay is the longest retry delay, in minutes.
const mostDelay = 30 * 24 * 60

// bookingRequest is a booking as entered in a form, or in a row of a campaign file.
type bookingRequest struct {
	Number, Scenario string
	At               string // "2006-01-02T15:04" in the organization's zone, or RFC 3339; empty: now
	Tries, Delays    string // empty: those of the scenario
	Variables        map[string]any
	Metadata         map[string]string
}

// bookingContext holds the rules and scenarios against which bookings of an organization are validated.
type bookingContext struct {
	orgID     string
	rules     callrules.CallRules
	zone      *time.Location
	scenarios []scenario.Scenario
	now       time.Time
	words     locale.CallsWords
	variables locale.VariableWords
	unspoken  func(plan scenario.Scenario, variables map[string]any) (string, error)
}

// voiceTime is the timeout for checking the voices of all bookings of one request. Bookings that were not checked by
// then are booked, and checked when they are dialled.
const voiceTime = 10 * time.Second

func (s *ConsoleService) newBookingContext(ctx context.Context, v visitor) (bookingContext, error) {
	rules, err := s.Store.FindRules(ctx, v.Org.ID)
	if err != nil {
		return bookingContext{}, err
	}
	scenarios, err := s.scenariosOf(ctx, v.Org.ID)
	limited, cancel := context.WithTimeout(ctx, voiceTime)
	context.AfterFunc(ctx, cancel)
	unspoken := func(plan scenario.Scenario, variables map[string]any) (string, error) {
		return s.unspokenLine(limited, v.Org.ID, plan, variables)
	}
	return bookingContext{
		v.Org.ID,
		rules,
		zoneOf(rules),
		scenarios,
		s.Now().UTC(),
		locale.CallsIn(v.Lang),
		locale.VariablesIn(v.Lang),
		unspoken,
	}, err
}

// buildCall returns the call that a request asks for, and its faults, one sentence for each of the API's fields.
func (k bookingContext) buildCall(w bookingRequest) (call.Call, map[string]string) {
	faults := map[string]string{}
	number, ok := phoneNumber(w.Number)
	if !ok {
		faults["phone_number"] = k.words.BadNumber
	}
	plan, known := scenarioCalled(k.scenarios, w.Scenario)
	if !known {
		faults["scenario_id"] = k.words.BadScenario
	}
	maps.Copy(faults, explainVariables(plan, w.Variables, k.variables))
	if line, err := k.unspoken(plan, w.Variables); known && err == nil && line != "" && len(faults) == 0 {
		faults["scenario_id"] = strings.ReplaceAll(k.words.Unspoken, "{line}", line)
	}
	retry := k.retryPlan(w, plan, faults)
	at, how := k.dialTime(w, plan, faults)
	id := call.NewID()
	return call.Call{
		ID: id, OrgID: k.orgID, Status: call.Scheduled, PhoneNumber: number, ScenarioID: w.Scenario,
		Variables: w.Variables, Metadata: w.Metadata, Booking: how, CreatedAt: k.now, ScheduledAt: at.UTC(),
		Attempt: call.AttemptChain{Number: 1, Max: retry.MaxAttempts, ChainID: id, Plan: retry},
	}, faults
}

// retryPlan returns the retry policy of a request, with the scenario's as default.
func (k bookingContext) retryPlan(w bookingRequest, plan scenario.Scenario, faults map[string]string) call.RetryPlan {
	var retry call.RetryPlan
	if plan.Retry != nil {
		retry = *plan.Retry
	}
	if w.Tries != "" {
		n, err := strconv.Atoi(westernDigits(w.Tries))
		if err != nil || n < 1 || n > call.MaxAttempts {
			faults["retry.max_attempts"] = k.words.BadTries
		}
		retry.MaxAttempts = n
	}
	if w.Delays != "" {
		delays, ok := readDelays(w.Delays)
		if !ok {
			faults["retry.delay_minutes"] = k.words.BadDelays
		}
		retry.DelayMinutes = delays
	}
	retry.MaxAttempts = min(max(retry.MaxAttempts, 1), call.MaxAttempts)
	return retry
}

// readDelays parses minutes separated by commas, semicolons or spaces.
func readDelays(typed string) ([]int, bool) {
	var delays []int
	between := func(r rune) bool { return strings.ContainsRune(",;، ؛\t", r) }
	for _, part := range strings.FieldsFunc(westernDigits(typed), between) {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > mostDelay {
			return nil, false
		}
		delays = append(delays, n)
	}
	return delays, len(delays) <= call.MaxAttempts
}

func writeDelays(delays []int) string {
	parts := make([]string, len(delays))
	for i, n := range delays {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ", ")
}

// dialTime returns when the call is to be dialled, moved into the calling hours if necessary, and the booking
// outcome.
func (k bookingContext) dialTime(
	w bookingRequest,
	plan scenario.Scenario,
	faults map[string]string,
) (time.Time, call.BookingOutcome) {
	at, how := k.now, call.Immediate
	if w.At != "" {
		var ok bool
		how = call.Booked
		if at, ok = readTime(w.At, k.zone); !ok {
			faults["scheduled_at"] = k.words.BadTime
			return k.now, how
		}
		asked := at
		at = laterTime(at, k.now)
		if asked.Before(k.now.Add(-formPatience)) || !call.IsBookable(at, k.now) {
			faults["scheduled_at"] = k.words.BadTimeWindow
			return k.now, how
		}
	}
	open, ok := callrules.NextOpen(k.rules, plan.CallingHours, plan.TimeZone, at)
	switch {
	case !ok:
		faults["scheduled_at"] = k.words.NeverOpen
	case !open.Equal(at):
		return open, call.Moved
	}
	return at, how
}

func laterTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// formPatience is how far in the past a time in a form may be to count as now: the field has whole minutes, and
// filling in the form takes a while.
const formPatience = 2 * time.Minute

// fieldForm is the layout of a datetime-local field.
const fieldForm = "2006-01-02T15:04"

// readTime parses a time in the organization's time zone, or one with an offset of its own.
func readTime(typed string, zone *time.Location) (time.Time, bool) {
	typed = westernDigits(typed)
	if t, err := time.Parse(time.RFC3339, typed); err == nil {
		return t, true
	}
	for _, form := range []string{fieldForm, "2006-01-02 15:04", fieldForm + ":05", "2006-01-02 15:04:05"} {
		if t, err := time.ParseInLocation(form, typed, zone); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
