package campaigns

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/ui/calls"
	"munadi/ui/campaigns"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// typedSettings reads the settings of the form.
func typedSettings(c echo.Context) (typed campaigns.CampaignSettings) {
	campaigns.BindSettings(kit.BindSent(c), &typed)
	typed.Name, typed.Caller = kit.CleanText(typed.Name), kit.CleanText(typed.Caller)
	for _, number := range []*string{&typed.Pace, &typed.Lines, &typed.Tries} {
		*number = kit.WesternDigits(*number)
	}
	return typed
}

// settingFields returns the fields of settings. Empty ones are filled: the name from the file, and the scenario's retry
// plan. Faults, which are by the API's field, are shown beside their fields.
func settingFields(
	typed campaigns.CampaignSettings, d campaignDraft, k booking.Context, faults map[string]string,
) []form.Field {
	if typed.Name == "" {
		if typed.Name = d.file; typed.Name == "" {
			typed.Name = kit.ScenarioName(k.Scenarios, d.plan.ID)
		}
	}
	if typed.Tries == "" {
		tries, delays := booking.RetryPlanOf(d.plan)
		typed.Tries, typed.Delays = strconv.Itoa(tries), form.FormatNumbers(delays)
	}
	typed.Zone, typed.Earliest = k.Zone.String(), k.Now.In(k.Zone).Format(kit.DatetimeLocal)
	typed.Latest = k.Now.Add(call.MaxAhead).In(k.Zone).Format(kit.DatetimeLocal)
	var beside []form.Violation
	for field, sentence := range faults {
		beside = append(beside, form.Violation{Path: cmp.Or(settingNames[field], field), Message: sentence})
	}
	return campaigns.BindSettings(form.NewBinder(k.Lang, nil, beside), &typed)
}

// settingNames are the inputs of settings that the API names otherwise.
var settingNames = map[string]string{
	"starts_at": "at", "ends_at": "ends", "calls_per_minute": "pace", "caller_number": "caller",
	"retry.max_attempts": "max_attempts", "retry.delay_minutes": "delay_minutes",
}

// createCampaign creates the campaign of a draft. A form that is submitted twice creates one, by the id in the form.
func (s handlers) createCampaign(c echo.Context) error {
	k, d, err := s.readCampaignDraft(c)
	if err != nil {
		return err
	}
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	if d.gone {
		return s.columnsPage(c, http.StatusUnprocessableEntity, d, false, campaigns.NewScenarioGone.In(v.Lang))
	}
	typed := typedSettings(c)
	request, faults := campaignRequest(k, typed, d, v.Lang)
	d.checkChoices(request.Rows, faults, v.Lang)
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
func campaignRequest(
	k booking.Context, typed campaigns.CampaignSettings, d campaignDraft, l locale.Language,
) (service.CampaignRequest, map[string]string) {
	faults := map[string]string{}
	r := service.CampaignRequest{
		ID: d.id, Name: typed.Name, ScenarioID: d.plan.ID, Rows: d.contactRows(), Paused: typed.Paused, SkipInvalid: true,
		EachPerson:     d.choice.shared == callEach,
		CallsPerMinute: optionalNumber(typed.Pace, "calls_per_minute", campaigns.NewBadPace.In(l), faults),
		Lines:          optionalNumber(typed.Lines, "lines", campaigns.NewBadLines.In(l), faults),
		StartsAt:       optionalTime(k, typed.At, "starts_at", calls.BadTime.In(k.Lang), faults),
		EndsAt:         optionalTime(k, typed.Ends, "ends_at", campaigns.NewBadEnds.In(l), faults),
	}
	if r.StartsAt != nil && r.StartsAt.Before(k.Now) && r.StartsAt.After(k.Now.Add(-booking.PastTolerance)) {
		r.StartsAt = nil
	}
	if typed.Caller != "" {
		var ok bool
		if r.CallerNumber, ok = kit.LocalNumber(typed.Caller, d.region); !ok {
			faults["caller_number"] = calls.BadNumber.In(k.Lang)
		}
	}
	if typed.Tries == "" && typed.Delays == "" {
		return r, faults
	}
	tries, err := strconv.Atoi(typed.Tries)
	if err != nil || tries < 1 || tries > call.MaxAttempts {
		faults["retry.max_attempts"] = calls.BadTries.In(k.Lang)
	}
	delays, ok := form.ParseNumbers(typed.Delays)
	if !ok {
		faults["retry.delay_minutes"] = calls.BadDelays.In(k.Lang)
	}
	r.Retry = &service.RetryRequest{MaxAttempts: &tries, DelayMinutes: delays}
	return r, faults
}

// optionalNumber parses a positive whole number; nil if empty.
func optionalNumber(typed, field, sentence string, faults map[string]string) *int {
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
func optionalTime(k booking.Context, typed, field, sentence string, faults map[string]string) *time.Time {
	if typed == "" {
		return nil
	}
	at, ok := kit.ParseFormTime(typed, k.Zone)
	if !ok {
		faults[field] = sentence
		return nil
	}
	at = at.UTC()
	return &at
}

// explainCampaign returns sentences in the page's language for violations of the settings, by field.
func explainCampaign(found service.FieldViolations, k booking.Context, l locale.Language) map[string]string {
	words := map[string]string{
		"name": campaigns.NewBadName.In(l), "starts_at": calls.BadTimeWindow.In(k.Lang),
		"ends_at": campaigns.NewBadEnds.In(l), "calls_per_minute": campaigns.NewBadPace.In(l),
		"lines": campaigns.NewBadLines.In(l), "caller_number": calls.BadNumber.In(k.Lang),
		"calls": campaigns.NewNoneLeft.In(l), "scenario_id": calls.BadScenario.In(k.Lang),
	}
	faults := map[string]string{}
	for _, v := range found {
		sentence, known := words[v.Field]
		switch {
		case v.Reason == service.Unspeakable:
			faults["calls"] = strings.ReplaceAll(calls.Unspoken.In(k.Lang), "{line}", kit.QuotedLine(v.Message))
		case v.Reason == service.NeverOpen:
			faults["starts_at"] = calls.NeverOpen.In(k.Lang)
		case strings.HasPrefix(v.Field, "retry.delay_minutes"):
			faults["retry.delay_minutes"] = calls.BadDelays.In(k.Lang)
		case strings.HasPrefix(v.Field, "retry."):
			faults["retry.max_attempts"] = calls.BadTries.In(k.Lang)
		case known:
			faults[v.Field] = sentence
		default:
			faults["calls"] = calls.BadExtras.In(k.Lang)
		}
	}
	return faults
}
