package service

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/phonenumber"
	"munadi/store/scenario"
)

// The bounds of a campaign.
const (
	maxCampaignName   = 200 // characters
	maxCallsPerMinute = 6000
	maxCampaignLines  = 1000
	pageSize          = 200
)

// The reasons for skipping a row.
const (
	SkippedInvalid    = "invalid"
	SkippedDuplicate  = "duplicate"
	SkippedSuppressed = "suppressed"
)

// CampaignRequest asks for a campaign.
type CampaignRequest struct {
	ID             string // a new one, so that a form that is sent twice creates one campaign; empty: generated
	Name           string
	ScenarioID     string
	Rows           []CampaignRow
	StartsAt       *time.Time // nil: now
	EndsAt         *time.Time // nil: never
	CallsPerMinute *int       // nil: no limit
	Lines          *int       // nil: no limit
	Retry          *RetryRequest
	CallerNumber   string // shown to the people called, E.164; empty: the organization's, else the trunk's
	Paused         bool
	EachPerson     bool            // rows with one number are called one after another, unless all else is equal, too
	SkipInvalid    bool            // invalid rows are left out, instead of refusing the campaign
	Once           *IdempotencyKey // nil: every request creates one
	Violations     FieldViolations // found by the parser, except those of rows
}

// CampaignRow asks for one call. Violations are those that the parser found, without the row's path.
type CampaignRow struct {
	campaign.FileRow
	Delay       time.Duration // after the campaign's first calls
	PhoneNumber string
	Variables   map[string]any
	Metadata    map[string]string
	Violations  FieldViolations
}

// CreateCampaign books a campaign with all its calls, or none. A [ViolationError] lists all violations. A repeat of an
// idempotency key gets the current campaign; it is a conflict while the calls are still being booked.
func (u *UseCases) CreateCampaign(
	ctx context.Context, who Caller, r CampaignRequest,
) (made campaign.Campaign, repeated bool, err error) {
	if r.Once != nil {
		first, err := u.Store.FindReceipt(ctx, who.OrgID, r.Once.Key, u.now())
		if err != nil || first != nil {
			made, err = u.repeatCampaign(ctx, who, first, r.Once, err)
			return made, true, err
		}
	}
	made, err = u.createCampaign(ctx, who, r)
	return made, false, err
}

// repeatCampaign finds the campaign of an idempotency key's first request.
func (u *UseCases) repeatCampaign(
	ctx context.Context, who Caller, first *store.IdempotencyReceipt, once *IdempotencyKey, err error,
) (campaign.Campaign, error) {
	booked, err := repeatBooking(first, once, err)
	if err != nil {
		return campaign.Campaign{}, err
	}
	made, err := u.Store.FindCampaign(ctx, who.OrgID, booked.Call.ID)
	if err != nil {
		return made, err
	}
	open := made.Loading
	if made.Status == campaign.Cancelled { // perhaps since the receipt was read: an interrupted creation that is undone
		first, err = u.Store.FindReceipt(ctx, who.OrgID, once.Key, u.now())
		if err != nil {
			return made, err
		}
		open = first == nil || first.CallID != made.ID
	}
	if open {
		return made, &ConflictError{
			Reason:  StateForbidden,
			Message: "The campaign of this Idempotency-Key is still being created; repeat the request later",
		}
	}
	return made, nil
}

// createCampaign checks the request against rules, scenario, voices and rows, and stores the campaign with its calls.
func (u *UseCases) createCampaign(ctx context.Context, who Caller, r CampaignRequest) (campaign.Campaign, error) {
	k, err := u.newBookingRules(ctx, who.OrgID)
	if err != nil {
		return campaign.Campaign{}, err
	}
	found := r.Violations
	r.checkSettings(k.now, &found)
	plan, known, err := u.findCampaignScenario(ctx, who.OrgID, r.ScenarioID, &found)
	if err != nil {
		return campaign.Campaign{}, err
	}
	at, how := k.startTime(r.StartsAt, plan, &found)
	if known {
		if err := u.checkVoices(ctx, who.OrgID, plan, r.Rows, &found); err != nil {
			return campaign.Campaign{}, err
		}
	}
	skipped, faulty, err := u.checkRows(ctx, who.OrgID, plan, r.Rows, r.EachPerson, k.now)
	if err != nil {
		return campaign.Campaign{}, err
	}
	if !r.SkipInvalid {
		found = append(found, faulty...)
	} else if len(skipped) == len(r.Rows) && len(r.Rows) > 0 {
		found.AddViolation("calls", "must have at least one valid row")
	}
	if err := violationError(found...); err != nil {
		return campaign.Campaign{}, err
	}
	c := r.newCampaign(who.OrgID, plan, k.now)
	if r.ID != "" {
		c.ID = r.ID
	}
	c.Skipped = skipped
	calls, receipt := r.newCalls(c, plan, at, how, skipped), r.Once.newCampaignReceipt(k.now)
	made, err := u.Store.CreateCampaign(ctx, c, calls, who.Actor, receipt)
	return made, explainConflict(err, StateForbidden, "")
}

// findCampaignScenario returns the scenario of a campaign; a missing or unknown one is added to found.
func (u *UseCases) findCampaignScenario(
	ctx context.Context, orgID, id string, found *FieldViolations,
) (plan scenario.Scenario, known bool, err error) {
	plan, known, err = u.FindScenario(ctx, orgID, id)
	switch {
	case err != nil:
	case id == "":
		found.AddViolation("scenario_id", "is required")
	default:
		checkBookable(plan, known, found)
	}
	return plan, known, err
}

// checkSettings adds the violations of a campaign outside its rows.
func (r CampaignRequest) checkSettings(now time.Time, found *FieldViolations) {
	if strings.TrimSpace(r.Name) == "" || utf8.RuneCountInString(r.Name) > maxCampaignName {
		found.AddViolation("name", "must have 1 to %d characters, not only white space", maxCampaignName)
	}
	if n := len(r.Rows); n < 1 || n > campaign.MaxCalls {
		found.AddViolation("calls", "must have 1 to %d entries", campaign.MaxCalls)
	}
	if r.StartsAt != nil && !call.IsBookable(*r.StartsAt, now) {
		found.AddViolation("starts_at", "must be from now to 30 days ahead")
	}
	if r.EndsAt != nil && (!r.EndsAt.After(now) || r.StartsAt != nil && !r.EndsAt.After(*r.StartsAt)) {
		found.AddViolation("ends_at", "must be after now and after starts_at")
	}
	if r.CallsPerMinute != nil && (*r.CallsPerMinute < 1 || *r.CallsPerMinute > maxCallsPerMinute) {
		found.AddViolation("calls_per_minute", "must be 1 to %d", maxCallsPerMinute)
	}
	if r.Lines != nil && (*r.Lines < 1 || *r.Lines > maxCampaignLines) {
		found.AddViolation("lines", "must be 1 to %d", maxCampaignLines)
	}
	if r.CallerNumber != "" && !phonenumber.IsE164(r.CallerNumber) {
		found.AddViolation("caller_number", "%s", InvalidNumber)
	}
	r.Retry.checkRetry(found)
}

// startTime returns the dial time of the first calls, within calling hours, and why it was moved.
func (k bookingRules) startTime(
	asked *time.Time, plan scenario.Scenario, found *FieldViolations,
) (time.Time, call.BookingOutcome) {
	if asked != nil && !asked.After(k.now) {
		asked = nil
	}
	return k.dialTime(asked, plan, "starts_at", found)
}

// newCampaign returns the campaign of a valid request.
func (r CampaignRequest) newCampaign(orgID string, plan scenario.Scenario, now time.Time) campaign.Campaign {
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: orgID, Name: r.Name, ScenarioID: r.ScenarioID, Status: campaign.Running, CreatedAt: now,
		StartsAt: r.StartsAt, EndsAt: r.EndsAt, Retry: planRetry(plan, r.Retry), CallerNumber: r.CallerNumber,
	}
	if r.Paused {
		c.Status = campaign.Paused
	}
	if r.CallsPerMinute != nil {
		c.CallsPerMinute = *r.CallsPerMinute
	}
	if r.Lines != nil {
		c.Lines = *r.Lines
	}
	return c
}

// newCalls returns the calls of a campaign, in the order of the rows that are not skipped.
func (r CampaignRequest) newCalls(
	c campaign.Campaign, plan scenario.Scenario, at time.Time, how call.BookingOutcome, skipped []campaign.SkippedRow,
) []call.Call {
	left := map[int]bool{}
	for _, row := range skipped {
		left[row.Index] = true
	}
	var calls []call.Call
	for i, row := range r.Rows {
		if !left[i] {
			made := c.CreatedAt.Add(time.Duration(i))
			one := newCampaignCall(c, row.PhoneNumber, row.Variables, row.Metadata, at.Add(row.Delay), made)
			one.Booking, one.NameVariable, one.ScenarioVersion = how, plan.NameVariable(row.Variables), plan.Version
			calls = append(calls, one)
		}
	}
	return calls
}

// newCampaignCall returns a first attempt to reach one person of a campaign.
func newCampaignCall(
	c campaign.Campaign, number string, variables map[string]any, metadata map[string]string, at, now time.Time,
) call.Call {
	return newCall(call.Call{
		OrgID: c.OrgID, CampaignID: c.ID, PhoneNumber: number, ScenarioID: c.ScenarioID, Variables: variables,
		Metadata: metadata, Booking: call.Immediate, CreatedAt: now.UTC(), ScheduledAt: at, CallerNumber: c.CallerNumber,
	}, c.Retry)
}

// ChangeCampaign pauses, resumes or cancels a campaign.
func (u *UseCases) ChangeCampaign(
	ctx context.Context, who Caller, id string, action store.CampaignAction,
) (campaign.Campaign, error) {
	changed, err := u.Store.ChangeCampaign(ctx, who.OrgID, id, action, who.Actor, u.now())
	return changed, explainConflict(err, StateForbidden, "")
}

// RetryUnreached books calls, in the same campaign, to the people whom no call reached, except people who declined,
// suppressed numbers, and people with a waiting or running call.
func (u *UseCases) RetryUnreached(ctx context.Context, who Caller, id string) (campaign.Campaign, error) {
	c, err := u.Store.FindCampaign(ctx, who.OrgID, id)
	if err != nil {
		return c, err
	}
	k, err := u.newBookingRules(ctx, who.OrgID)
	if err != nil {
		return c, err
	}
	plan, _, err := u.FindScenario(ctx, who.OrgID, c.ScenarioID)
	if err != nil {
		return c, err
	}
	due, how := k.startTime(c.StartsAt, plan, &FieldViolations{})
	again := map[string]call.Call{}
	unreached := store.CallFilter{CampaignID: id, People: store.UnreachedPeople, Ascending: true}
	err = u.visitCalls(ctx, who.OrgID, unreached, func(one call.Call) error {
		if one.PhoneNumber == "" { // erased
			return nil
		}
		entry, err := u.Store.FindSuppression(ctx, who.OrgID, one.PhoneNumber, k.now)
		if err == nil && entry == nil {
			at := k.now.Add(time.Duration(len(again)))
			next := newCampaignCall(c, one.PhoneNumber, one.Variables, one.Metadata, due, at)
			next.Booking, next.NameVariable, next.ScenarioVersion = how, plan.NameVariable(one.Variables), plan.Version
			again[one.ID] = next
		}
		return err
	})
	if err != nil {
		return c, err
	}
	retried, err := u.Store.RetryCampaign(ctx, who.OrgID, id, again, who.Actor, k.now)
	return retried, explainConflict(err, StateForbidden, "")
}

// visitCalls calls visit with each call of a filter, in its order, without messages.
func (u *UseCases) visitCalls(
	ctx context.Context, orgID string, f store.CallFilter, visit func(call.Call) error,
) error {
	f.Limit, f.Cursor = pageSize, ""
	for {
		page, err := u.Store.CallsPage(ctx, orgID, f)
		if err != nil {
			return err
		}
		for _, one := range page.Items {
			if err := visit(one); err != nil {
				return err
			}
		}
		if f.Cursor = page.Next; f.Cursor == "" {
			return nil
		}
	}
}
