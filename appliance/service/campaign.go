package service

import (
	"context"
	"time"
	"unicode/utf8"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
	"munadi/store/scenario"
)

// The bounds of a campaign.
const (
	maxCampaignName   = 200 // characters
	maxCallsPerMinute = 6000
	maxCampaignLines  = 1000
	pageSize          = 200
)

// Why a row is skipped.
const (
	skippedInvalid    = "invalid"
	skippedDuplicate  = "duplicate"
	skippedSuppressed = "suppressed"
)

// CampaignStore is what campaigns need of the store; store.Store has it.
type CampaignStore interface {
	store.CampaignStore
	CallsPage(ctx context.Context, orgID string, f store.CallFilter) (store.ListPage[call.Call], error)
	FindRules(ctx context.Context, orgID string) (callrules.CallRules, error)
	FindSuppression(ctx context.Context, orgID, number string, now time.Time) (*callrules.SuppressionEntry, error)
}

// CampaignService makes and steers campaigns. It is safe for concurrent use.
type CampaignService struct {
	Store CampaignStore
	// FindScenario finds an organization's scenario, built-in ones included; false without one.
	FindScenario func(ctx context.Context, orgID, id string) (scenario.Scenario, bool, error)
	// FindUnspoken lists why calls of the scenario with these variables could not be held, for each of them, and what is
	// wrong with all; nil: not checked.
	FindUnspoken func(
		ctx context.Context, s scenario.Scenario, rows []map[string]any,
	) (all []scenario.ScenarioViolation, each [][]scenario.ScenarioViolation, err error)
	Now func() time.Time
}

// CampaignRequest asks for a campaign.
type CampaignRequest struct {
	ID             string // a new one, for forms that are sent twice; empty: one is made
	Name           string
	ScenarioID     string
	Rows           []CampaignRow
	StartsAt       *time.Time // nil: now
	EndsAt         *time.Time // nil: never
	CallsPerMinute *int       // nil: no limit
	Lines          *int       // nil: no limit
	Retry          *call.RetryPlan
	CallerNumber   string // shown to the people called, E.164; empty: the organization's, else the trunk's
	Paused         bool
	SkipInvalid    bool                      // faulty rows are left out, instead of refusing all
	Once           *store.IdempotencyReceipt // of the Idempotency-Key; nil without one
}

// CampaignRow asks for one call. Violations are those that were found while it was parsed, without the row's path.
type CampaignRow struct {
	PhoneNumber string
	Variables   map[string]any
	Metadata    map[string]string
	Violations  []FieldViolation
}

// CreateCampaign books a campaign with all its calls, or nothing. A [ViolationError] names all rules that are broken.
func (s *CampaignService) CreateCampaign(
	ctx context.Context, orgID, actor string, r CampaignRequest,
) (campaign.Campaign, error) {
	now := s.Now().UTC()
	found := r.checkSettings(now)
	plan, known, err := s.FindScenario(ctx, orgID, r.ScenarioID)
	if err != nil {
		return campaign.Campaign{}, err
	}
	if !known {
		found.addViolation("scenario_id", "names no scenario of this organization")
	}
	at, how, err := s.findStart(ctx, orgID, r.StartsAt, plan, now, &found)
	if err != nil {
		return campaign.Campaign{}, err
	}
	if known {
		if err := s.checkSpoken(ctx, orgID, plan, r.Rows, &found); err != nil {
			return campaign.Campaign{}, err
		}
	}
	skipped, faulty, err := s.checkRows(ctx, orgID, plan, r.Rows, now)
	if err != nil {
		return campaign.Campaign{}, err
	}
	if !r.SkipInvalid {
		found = append(found, faulty...)
	} else if len(skipped) == len(r.Rows) && len(r.Rows) > 0 {
		found.addViolation("calls", "must have at least one row without a fault")
	}
	if len(found) > 0 {
		return campaign.Campaign{}, &ViolationError{found}
	}
	c := r.newCampaign(orgID, plan, now)
	if r.ID != "" {
		c.ID = r.ID
	}
	c.Skipped = skipped
	if r.Once != nil {
		r.Once.MadeAt = now
	}
	return s.Store.CreateCampaign(ctx, c, r.newCalls(c, at, how, skipped), actor, r.Once)
}

// checkSettings lists what is wrong with a campaign beside its rows.
func (r CampaignRequest) checkSettings(now time.Time) (found violationList) {
	if n := utf8.RuneCountInString(r.Name); n < 1 || n > maxCampaignName {
		found.addViolation("name", "must have 1 to %d characters", maxCampaignName)
	}
	if n := len(r.Rows); n < 1 || n > campaign.MaxCalls {
		found.addViolation("calls", "must have 1 to %d entries", campaign.MaxCalls)
	}
	if r.StartsAt != nil && !call.IsBookable(*r.StartsAt, now) {
		found.addViolation("starts_at", "must lie from now to 30 days ahead")
	}
	if r.EndsAt != nil && (!r.EndsAt.After(now) || r.StartsAt != nil && !r.EndsAt.After(*r.StartsAt)) {
		found.addViolation("ends_at", "must lie after now and after starts_at")
	}
	if r.CallsPerMinute != nil && (*r.CallsPerMinute < 1 || *r.CallsPerMinute > maxCallsPerMinute) {
		found.addViolation("calls_per_minute", "must be 1 to %d", maxCallsPerMinute)
	}
	if r.Lines != nil && (*r.Lines < 1 || *r.Lines > maxCampaignLines) {
		found.addViolation("lines", "must be 1 to %d", maxCampaignLines)
	}
	if r.CallerNumber != "" && !IsValidNumber(r.CallerNumber) {
		found.addViolation("caller_number", "%s", InvalidNumber)
	}
	return found
}

// findStart is when the first calls are due, in calling hours, and how they came to that time.
func (s *CampaignService) findStart(
	ctx context.Context, orgID string, asked *time.Time, plan scenario.Scenario, now time.Time, found *violationList,
) (time.Time, call.BookingOutcome, error) {
	at, how := now, call.Immediate
	if asked != nil && asked.After(now) {
		at, how = *asked, call.Booked
	}
	rules, err := s.Store.FindRules(ctx, orgID)
	if err != nil {
		return at, how, err
	}
	open, ok := callrules.NextOpen(rules, plan.CallingHours, plan.TimeZone, at)
	switch {
	case !ok:
		found.addViolation("starts_at", "finds no calling hours: those of the organization and of the scenario never meet")
	case !open.Equal(at):
		return open, call.Moved, nil
	}
	return at, how, nil
}

// newCampaign is the campaign that a sound request asks for.
func (r CampaignRequest) newCampaign(orgID string, plan scenario.Scenario, now time.Time) campaign.Campaign {
	c := campaign.Campaign{
		ID: campaign.NewID(), OrgID: orgID, Name: r.Name, ScenarioID: r.ScenarioID, Status: campaign.Running, CreatedAt: now,
		StartsAt: r.StartsAt, EndsAt: r.EndsAt, Retry: PlanRetry(plan, r.Retry), CallerNumber: r.CallerNumber,
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

// newCalls are the calls of a campaign, in the order of the rows that are not skipped.
func (r CampaignRequest) newCalls(
	c campaign.Campaign, at time.Time, how call.BookingOutcome, skipped []campaign.SkippedRow,
) []call.Call {
	left := map[int]bool{}
	for _, row := range skipped {
		left[row.Index] = true
	}
	var calls []call.Call
	for i, row := range r.Rows {
		if !left[i] {
			one := newCampaignCall(c, row.PhoneNumber, row.Variables, row.Metadata, at, c.CreatedAt.Add(time.Duration(i)))
			one.Booking = how
			calls = append(calls, one)
		}
	}
	return calls
}

// newCampaignCall is a first attempt to reach one person of a campaign.
func newCampaignCall(
	c campaign.Campaign, number string, variables map[string]any, metadata map[string]string, at, now time.Time,
) call.Call {
	id := call.NewID()
	return call.Call{
		ID: id, OrgID: c.OrgID, CampaignID: c.ID, Status: call.Scheduled, PhoneNumber: number, ScenarioID: c.ScenarioID,
		Variables: variables, Metadata: metadata, Booking: call.Immediate, CreatedAt: now.UTC(), ScheduledAt: at.UTC(),
		Attempt:      call.AttemptChain{Number: 1, Max: c.Retry.MaxAttempts, ChainID: id, Plan: c.Retry},
		CallerNumber: c.CallerNumber,
	}
}

// RetryUnreached books again, in the same campaign, those whom no call reached: never one who declined, whose number is
// suppressed, or for whom a call waits or runs.
func (s *CampaignService) RetryUnreached(ctx context.Context, orgID, id, actor string) (campaign.Campaign, error) {
	c, err := s.Store.FindCampaign(ctx, orgID, id)
	if err != nil {
		return c, err
	}
	now := s.Now().UTC()
	plan, _, err := s.FindScenario(ctx, orgID, c.ScenarioID)
	if err != nil {
		return c, err
	}
	at, how, err := s.findStart(ctx, orgID, c.StartsAt, plan, now, &violationList{})
	if err != nil {
		return c, err
	}
	last := map[string]call.Call{} // by number; one that was reached has an empty id
	err = s.visitCalls(ctx, orgID, id, func(one call.Call) error {
		if before, known := last[one.PhoneNumber]; known && before.ID == "" {
			return nil
		}
		if last[one.PhoneNumber] = one; !campaign.IsUnreached(one) && one.Status != call.Cancelled {
			last[one.PhoneNumber] = call.Call{}
		}
		return nil
	})
	again := map[string]call.Call{}
	for number, one := range last {
		if err != nil || one.ID == "" || number == "" || !campaign.IsUnreached(one) {
			continue
		}
		var entry *callrules.SuppressionEntry
		if entry, err = s.Store.FindSuppression(ctx, orgID, number, now); err == nil && entry == nil {
			next := newCampaignCall(c, number, one.Variables, one.Metadata, at, now.Add(time.Duration(len(again))))
			next.Booking = how
			again[one.ID] = next
		}
	}
	if err != nil {
		return c, err
	}
	return s.Store.RetryCampaign(ctx, orgID, id, again, actor, now)
}

// visitCalls calls visit with each call of a campaign, oldest first, without messages.
func (s *CampaignService) visitCalls(ctx context.Context, orgID, id string, visit func(call.Call) error) error {
	f := store.CallFilter{CampaignID: id, Ascending: true, Limit: pageSize}
	for {
		page, err := s.Store.CallsPage(ctx, orgID, f)
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
