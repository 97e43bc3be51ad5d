package api

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/body"
	"munadi/appliance/wire"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/dialling"
	"munadi/store/scenario"
)

// createCall books a call. A repeat is recognised before it is judged: its dial time may have passed since.
func (s *Service) createCall(c echo.Context) error {
	ctx, orgID, now := c.Request().Context(), principal(c).OrgID, s.Now()
	parsed, err := object(c)
	if err != nil {
		return err
	}
	once, err := receiptOf(c, parsed)
	if err != nil {
		return err
	}
	if once != nil {
		first, err := s.Store.Receipt(ctx, orgID, once.Key, now)
		if err != nil {
			return err
		}
		if first != nil {
			return s.replay(c, *first, once)
		}
	}
	booked, err := s.booking(ctx, orgID, parsed, now)
	if err != nil {
		return err
	}
	return s.book(c, booked, once)
}

// book writes the call. Of requests under one key that come at once, the store lets one book; the others repeat it.
func (s *Service) book(c echo.Context, booked call.Call, once *store.Receipt) error {
	data, err := marshal(wire.CallOf(booked, nil, s.Links))
	if err != nil {
		return err
	}
	if once != nil {
		once.CallID, once.Answer, once.MadeAt = booked.ID, data, booked.CreatedAt
	}
	made, err := s.Store.Book(c.Request().Context(), booked, actor(c), once)
	switch {
	case err != nil:
		return err
	case made.Replays:
		return s.replay(c, made, once)
	}
	return created(c, booked.ID, data)
}

// booking is the call that a request asks for; the error names every rule that it breaks.
func (s *Service) booking(ctx context.Context, orgID string, parsed map[string]any, now time.Time) (call.Call, error) {
	b, found := bindBooking(parsed, now)
	plan, err := s.scenarioFor(ctx, orgID, b, &found)
	if err != nil {
		return call.Call{}, err
	}
	at, how, err := s.dialTime(ctx, orgID, b.ScheduledAt, plan, now, &found)
	if err != nil {
		return call.Call{}, err
	}
	if err := invalid(found); err != nil {
		return call.Call{}, err
	}
	id, retry := call.NewID(), b.Retry.plan(plan)
	return call.Call{
		ID: id, OrgID: orgID, Status: call.Scheduled, PhoneNumber: b.PhoneNumber, ScenarioID: b.ScenarioID,
		Variables: b.Variables, Metadata: b.Metadata, Booking: how, CreatedAt: now.UTC(), ScheduledAt: at.UTC(),
		Attempt: call.Attempt{Number: 1, Max: retry.MaxAttempts, ChainID: id, Plan: retry},
	}, nil
}

// scenarioFor finds the scenario and holds the variables against it.
func (s *Service) scenarioFor(
	ctx context.Context, orgID string, b bookingBody, found *body.Violations,
) (scenario.Scenario, error) {
	plan, known, err := s.findScenario(ctx, orgID, b.ScenarioID)
	if err != nil {
		return plan, err
	}
	if !known {
		found.Add("scenario_id", "names no scenario of this organization")
	}
	for _, fault := range plan.CheckVariables(b.Variables) {
		found.Add(fault.Field, "%s", fault.Message)
	}
	return plan, nil
}

// dialTime is when the call is dialled, and how it came to that time.
func (s *Service) dialTime(
	ctx context.Context, orgID string, asked *time.Time, plan scenario.Scenario, now time.Time, found *body.Violations,
) (time.Time, call.Booking, error) {
	at, how := now, call.Immediate
	if asked != nil && !asked.IsZero() {
		at, how = *asked, call.Booked
	}
	rules, err := s.Store.Rules(ctx, orgID)
	if err != nil {
		return at, how, err
	}
	open, ok := dialling.NextOpen(rules, plan.CallingHours, plan.TimeZone, at)
	switch {
	case !ok:
		found.Add("scheduled_at", "finds no calling hours: those of the organization and of the scenario never meet")
	case !open.Equal(at):
		return open, call.Moved, nil
	}
	return at, how, nil
}
