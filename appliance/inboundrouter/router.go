// Package inboundrouter takes the calls that come in: it finds the organization and the scenario of the number that was
// called, has the call stored, and hands it to the dialer, which answers it.
//
// The scenario is that of the most specific route. A caller whom the organization called within its callback days
// follows up that call instead: they get its scenario and variables, its booked retry is cancelled, and its campaign
// counts the call. The organization's kill switch and suppression list stop no inbound call, since nobody is dialled.
// Calling hours matter only to organizations with a closed line.
//
// It depends on a store, a dialer and the line table of the scheduler, on no carrier.
package inboundrouter

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"munadi/appliance/carrier"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/phonenumber"
	"munadi/store/scenario"
)

// RouteStore is the part of the store that the router uses.
type RouteStore interface {
	FindRoute(ctx context.Context, called string) (store.InboundMatch, error)
	FindLastDial(ctx context.Context, orgID, number string, since time.Time) (call.Call, error)
	FindRules(ctx context.Context, orgID string) (callrules.CallRules, error)
	ReceiveCall(ctx context.Context, c call.Call, how store.Reception, now time.Time) (call.Call, error)
}

// ScenarioFinder finds an organization's scenario, built-in ones included. [store.CodeNotFound] without one.
type ScenarioFinder interface {
	Scenario(ctx context.Context, orgID, id string) (scenario.Scenario, error)
}

// CallAnswerer answers a call and stores its outcome.
type CallAnswerer interface {
	Receive(ctx context.Context, c call.Call, in carrier.IncomingCall, closed string) error
}

// LineHolder holds a line for a call while run runs; *scheduler.Scheduler is one.
type LineHolder interface {
	RunInbound(c call.Call, limit int, run func(calls context.Context)) error
}

// Dependencies are the dependencies of a router; all fields are required.
type Dependencies struct {
	Store     RouteStore
	Scenarios ScenarioFinder
	Dialer    CallAnswerer
	Lines     LineHolder
	Limit     func() int // calls at once of the appliance, in both directions
	Now       func() time.Time
	Log       *slog.Logger
}

// InboundRouter takes inbound calls. It is safe for concurrent use.
type InboundRouter struct{ Dependencies }

// NewRouter creates a router.
func NewRouter(d Dependencies) *InboundRouter { return &InboundRouter{d} }

// routeTimeout is how long the store may take until the caller hears that the call is not taken.
const routeTimeout = 5 * time.Second

// TakeCall is a [carrier.Receiver].
func (r *InboundRouter) TakeCall(ctx context.Context, in carrier.IncomingCall) {
	finding, cancel := context.WithTimeout(ctx, routeTimeout)
	defer cancel()
	route, err := r.findRoute(finding, in)
	if err != nil {
		in.Refuse(r.explainRefusal(err))
		return
	}
	err = r.Lines.RunInbound(route.call, r.Limit(), func(calls context.Context) {
		r.receiveCall(calls, route, in)
	})
	if err != nil {
		r.Log.Warn("an inbound call got no line", "org", route.OrgID, "err", err)
		in.Refuse(carrier.RefuseOverload)
	}
}

// receiveCall stores and answers a call that holds a line.
func (r *InboundRouter) receiveCall(ctx context.Context, route callRoute, in carrier.IncomingCall) {
	storing, cancel := context.WithTimeout(ctx, routeTimeout)
	defer cancel()
	how := store.Reception{Lines: route.Route.Lines, Closed: route.closed != ""}
	c, err := r.Store.ReceiveCall(storing, route.call, how, r.Now().UTC())
	if err != nil {
		in.Refuse(r.explainRefusal(err))
		return
	}
	in.Ring()
	if err := r.Dialer.Receive(ctx, c, in, route.closed); err != nil {
		r.Log.Error("an outcome could not be stored", "call_id", c.ID, "err", err)
	}
}

// explainRefusal returns what the caller is told of an error, and logs it.
func (r *InboundRouter) explainRefusal(err error) carrier.Refusal {
	switch {
	case errors.Is(err, errScenarioGone):
		r.Log.Error("an inbound call is not answered", "err", err)
		return carrier.RefuseUnavailable
	case store.CodeOf(err) == store.CodeNotFound:
		r.Log.Info("an inbound call is not answered: no route has its number")
		return carrier.RefuseUnrouted
	case store.CodeOf(err) == store.CodeConflict:
		r.Log.Warn("an inbound call is not answered", "err", err)
		return carrier.RefuseBusy
	}
	r.Log.Error("an inbound call is not answered", "err", err)
	return carrier.RefuseOverload
}

// callRoute is how a call is taken.
type callRoute struct {
	store.InboundMatch
	call   call.Call
	closed string // spoken instead of the scenario; empty: within calling hours
}

var errScenarioGone = errors.New("the scenario of the route was deleted")

// findRoute returns the route of the first called number that has one, and the call that it makes.
func (r *InboundRouter) findRoute(ctx context.Context, in carrier.IncomingCall) (route callRoute, err error) {
	called := ""
	err = store.Errorf(store.CodeNotFound, "no number was called")
	for _, called = range in.Called() {
		if route.InboundMatch, err = r.Store.FindRoute(ctx, called); store.CodeOf(err) != store.CodeNotFound {
			break
		}
	}
	if err != nil {
		return route, err
	}
	rules, err := r.Store.FindRules(ctx, route.OrgID)
	if store.IgnoreMissing(err) != nil {
		return route, err
	}
	now := r.Now().UTC()
	c := call.Call{
		OrgID: route.OrgID, ScenarioID: route.Route.ScenarioID, CalledNumber: called, Route: route.Route.Number,
		PhoneNumber: normalizeNumber(in.Caller(), rules.Country()),
	}
	previous, plan, err := r.findScenario(ctx, route, c, now)
	if err != nil {
		return route, err
	}
	route.call = call.NewInbound(c, previous, now)
	open, ok := callrules.NextOpen(rules, plan.CallingHours, plan.TimeZone, now)
	if !ok || !open.Equal(now) {
		route.closed = route.Settings.Closed
	}
	return route, nil
}

// findScenario returns the scenario of a call, and the call that it follows up; nil without one. A followed-up call
// whose scenario was deleted counts as none.
func (r *InboundRouter) findScenario(
	ctx context.Context, route callRoute, c call.Call, now time.Time,
) (*call.Call, scenario.Scenario, error) {
	if days := route.Settings.CallbackDays; days > 0 && c.PhoneNumber != "" {
		last, err := r.Store.FindLastDial(ctx, c.OrgID, c.PhoneNumber, now.Add(-time.Duration(days)*24*time.Hour))
		if err == nil {
			plan, err := r.Scenarios.Scenario(ctx, c.OrgID, last.ScenarioID)
			if store.CodeOf(err) != store.CodeNotFound {
				return &last, plan, err
			}
		} else if store.IgnoreMissing(err) != nil {
			return nil, scenario.Scenario{}, err
		}
	}
	plan, err := r.Scenarios.Scenario(ctx, c.OrgID, c.ScenarioID)
	if store.CodeOf(err) == store.CodeNotFound {
		err = errScenarioGone
	}
	return nil, plan, err
}

// normalizeNumber returns a caller's number in E.164: one without a country code is of the organization's country.
// Empty for a text that is no number, as of a caller who withholds it.
func normalizeNumber(given, country string) string {
	if phonenumber.IsE164(given) {
		return given
	}
	if number, ok := phonenumber.ParsePossible(given, country); ok {
		return number
	}
	number, _ := phonenumber.ParsePossible("+"+strings.TrimPrefix(given, "00"), "")
	return number
}
