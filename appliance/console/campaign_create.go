package console

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/ui/calls"
	"munadi/ui/campaigns"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// typedSettings reads the settings of the form.
func typedSettings(c echo.Context) campaigns.CampaignSettings {
	return campaigns.CampaignSettings{
		Name: kit.CleanText(c.FormValue("name")), At: c.FormValue("at"), Ends: c.FormValue("ends"),
		Pace: kit.WesternDigits(c.FormValue("pace")), Lines: kit.WesternDigits(c.FormValue("lines")),
		Caller: kit.CleanText(c.FormValue("caller")), Tries: kit.WesternDigits(c.FormValue("max_attempts")),
		Delays: c.FormValue("delay_minutes"), Later: c.FormValue("when") == "at", Paused: c.FormValue("paused") != "",
	}
}

// defaultSettings fills empty fields: the name from the file, and the scenario's retry plan.
func defaultSettings(typed campaigns.CampaignSettings, d campaignDraft, k bookingContext) campaigns.CampaignSettings {
	if typed.Name == "" {
		if typed.Name = d.file; typed.Name == "" {
			typed.Name = kit.ScenarioName(k.scenarios, d.plan.ID)
		}
	}
	if typed.Tries == "" {
		tries, delays := retryPlanOf(d.plan)
		typed.Tries, typed.Delays = strconv.Itoa(tries), form.FormatNumbers(delays)
	}
	return typed
}

// createCampaign creates the campaign of a draft. A form that is submitted twice creates one, by the id in the form.
func (s *ConsoleService) createCampaign(c echo.Context) error {
	k, d, err := s.readCampaignDraft(c)
	if err != nil {
		return err
	}
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	if d.gone {
		return s.columnsPage(c, http.StatusUnprocessableEntity, d, false, campaigns.NewScenarioGone.In(v.Lang))
	}
	typed := typedSettings(c)
	request, faults := k.campaignRequest(typed, d, v.Lang)
	if c.FormValue("sure") != d.plan.ID {
		faults["sure"] = campaigns.ImportNotConfirmed.In(v.Lang)
	}
	if len(faults) > 0 {
		return s.campaignCheckPage(c, http.StatusUnprocessableEntity, k, d, typed, faults)
	}
	made, _, err := s.UseCases.CreateCampaign(ctx, kit.RequestCaller(c), request)
	var broken *service.ViolationError
	var conflict *service.ConflictError
	switch {
	case errors.As(err, &broken):
		return s.campaignCheckPage(
			c, http.StatusUnprocessableEntity, k, d, typed, explainCampaign(broken.Violations, k, v.Lang),
		)
	case errors.As(err, &conflict):
		if before, err := s.Store.FindCampaign(ctx, v.Org.ID, request.ID); err == nil {
			return kit.RedirectTo(c, campaigns.CampaignsPath+"/"+before.ID)
		}
		return err
	case err != nil:
		return err
	}
	return kit.RedirectTo(c, campaigns.CampaignsPath+"/"+made.ID)
}

// campaignRequest parses the settings; faults are sentences by the API's field.
func (k bookingContext) campaignRequest(
	typed campaigns.CampaignSettings, d campaignDraft, l locale.Language,
) (service.CampaignRequest, map[string]string) {
	faults := map[string]string{}
	r := service.CampaignRequest{
		ID: d.id, Name: typed.Name, ScenarioID: d.plan.ID, Rows: d.contactRows(), Paused: typed.Paused, SkipInvalid: true,
		CallsPerMinute: k.optionalNumber(typed.Pace, "calls_per_minute", campaigns.NewBadPace.In(l), faults),
		Lines:          k.optionalNumber(typed.Lines, "lines", campaigns.NewBadLines.In(l), faults),
		EndsAt:         k.optionalTime(typed.Ends, "ends_at", campaigns.NewBadEnds.In(l), faults),
	}
	if typed.Later {
		r.StartsAt = k.optionalTime(typed.At, "starts_at", calls.BadTime.In(k.lang), faults)
		if typed.At == "" {
			faults["starts_at"] = calls.BadTime.In(k.lang)
		}
	}
	if r.StartsAt != nil && r.StartsAt.Before(k.now) && r.StartsAt.After(k.now.Add(-pastTolerance)) {
		r.StartsAt = nil
	}
	if typed.Caller != "" {
		var ok bool
		if r.CallerNumber, ok = kit.LocalNumber(typed.Caller, d.region); !ok {
			faults["caller_number"] = calls.BadNumber.In(k.lang)
		}
	}
	if typed.Tries == "" && typed.Delays == "" {
		return r, faults
	}
	tries, err := strconv.Atoi(typed.Tries)
	if err != nil || tries < 1 || tries > call.MaxAttempts {
		faults["retry.max_attempts"] = calls.BadTries.In(k.lang)
	}
	delays, ok := form.ParseNumbers(typed.Delays)
	if !ok {
		faults["retry.delay_minutes"] = calls.BadDelays.In(k.lang)
	}
	r.Retry = &service.RetryRequest{MaxAttempts: &tries, DelayMinutes: delays}
	return r, faults
}

// optionalNumber parses a positive whole number; nil if empty.
func (k bookingContext) optionalNumber(typed, field, sentence string, faults map[string]string) *int {
	if typed == "" {
		return nil
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < 1 {
		faults[field] = sentence
		return nil
	}
	return &n
}

// optionalTime parses a time in the organization's time zone; nil if empty.
func (k bookingContext) optionalTime(typed, field, sentence string, faults map[string]string) *time.Time {
	if typed == "" {
		return nil
	}
	at, ok := kit.ParseFormTime(typed, k.zone)
	if !ok {
		faults[field] = sentence
		return nil
	}
	at = at.UTC()
	return &at
}

// explainCampaign returns sentences in the page's language for violations of the settings, by field.
func explainCampaign(found service.FieldViolations, k bookingContext, l locale.Language) map[string]string {
	words := map[string]string{
		"name": campaigns.NewBadName.In(l), "starts_at": calls.BadTimeWindow.In(k.lang),
		"ends_at": campaigns.NewBadEnds.In(l), "calls_per_minute": campaigns.NewBadPace.In(l),
		"lines": campaigns.NewBadLines.In(l), "caller_number": calls.BadNumber.In(k.lang),
		"calls": campaigns.NewNoneLeft.In(l), "scenario_id": calls.BadScenario.In(k.lang),
	}
	faults := map[string]string{}
	for _, v := range found {
		sentence, known := words[v.Field]
		switch {
		case v.Reason == service.Unspeakable:
			faults["calls"] = strings.ReplaceAll(calls.Unspoken.In(k.lang), "{line}", kit.QuotedLine(v.Message))
		case v.Reason == service.NeverOpen:
			faults["starts_at"] = calls.NeverOpen.In(k.lang)
		case strings.HasPrefix(v.Field, "retry.delay_minutes"):
			faults["retry.delay_minutes"] = calls.BadDelays.In(k.lang)
		case strings.HasPrefix(v.Field, "retry."):
			faults["retry.max_attempts"] = calls.BadTries.In(k.lang)
		case known:
			faults[v.Field] = sentence
		default:
			faults["calls"] = calls.BadExtras.In(k.lang)
		}
	}
	return faults
}
