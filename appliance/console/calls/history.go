package calls

import (
	"context"
	"strings"
	"time"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/ui/calls"
	"munadi/ui/locale"
)

// addHistory adds the timeline, the retry chain and the webhook delivery.
func (s handlers) addHistory(
	ctx context.Context, v kit.Visitor, c call.Call, k booking.Context, p *calls.CallView,
) error {
	lines, err := s.Store.CallTimeline(ctx, c.OrgID, c.ID)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, e := range lines {
		p.Timeline = append(p.Timeline, calls.TimelineLine{
			At: e.At, Event: eventName(e.Event, v.Lang), Actor: s.actorName(ctx, e.Actor, v.Lang, names),
			Note: timelineNote(e, c.ScenarioID, k),
		})
	}
	if err := s.addRetryChain(ctx, c, k, p); err != nil || !c.Notify {
		return err
	}
	last, err := s.Store.DeliveryOf(ctx, c.OrgID, c.ID)
	if store.IsUnreadable(err) { // the page's notice says so
		return nil
	}
	if err != nil || last == nil {
		return err
	}
	p.Webhook = string(last.State)
	if v.User.Role.Allows(account.Owner) {
		p.Delivery = kit.Root + "/webhook"
	}
	for _, t := range last.Tries {
		try := calls.WebhookTry{At: t.At, Status: t.StatusCode, Error: t.Error, MS: t.Duration.Milliseconds()}
		p.Tries = append(p.Tries, try)
	}
	return nil
}

// eventName returns the display name of an event, or of the status that the call got.
func eventName(event string, l locale.Language) string {
	for _, names := range []locale.WordTable{calls.CallEvents, locale.CallStatuses} {
		if name := names.Word(l, event); name != "" {
			return name
		}
	}
	return event
}

// timelineNote returns a timeline entry's note for display: a reason by its name, a time in the organization's zone.
func timelineNote(e call.TimelineEntry, scenarioID string, k booking.Context) string {
	if e.Event == string(call.AmendCorrect) && e.Note != "" {
		return k.Labels().SlotLabels(scenarioID, strings.Split(e.Note, ", "))
	}
	status, reason, two := strings.Cut(e.Note, ": ")
	if name := calls.Reasons.Word(k.Lang, reason); two && name != "" && locale.CallStatuses.Word(k.Lang, status) != "" {
		return locale.CallStatuses.Word(k.Lang, status) + " · " + name
	}
	for _, names := range []locale.WordTable{calls.Reasons, calls.Bookings, locale.CallStatuses} {
		if name := names.Word(k.Lang, e.Note); name != "" {
			return name
		}
	}
	if at, err := time.Parse(time.RFC3339, strings.TrimPrefix(e.Note, "to ")); err == nil {
		return at.In(k.Zone).Format("2006-01-02 15:04")
	}
	return locale.TimelineNote(k.Lang, e.Note)
}

// ActorName returns the display name of an actor; known caches the names of users.
func (s handlers) actorName(
	ctx context.Context, actor string, l locale.Language, known map[string]string,
) string {
	kind, id, _ := strings.Cut(actor, ":")
	if kind != "user" {
		return calls.CallActors.Word(l, kind)
	}
	if _, asked := known[id]; !asked {
		known[id] = calls.CallActors.Word(l, kind)
		if u, err := s.Store.FindUser(ctx, id); err == nil {
			known[id] = u.Name
		}
	}
	return known[id]
}

// addRetryChain adds the previous and next attempts, up to one that was deleted.
func (s handlers) addRetryChain(ctx context.Context, c call.Call, k booking.Context, p *calls.CallView) error {
	all := []call.Call{c}
	for previous := c.Attempt.PreviousID; previous != nil && len(all) < call.MaxAttempts; {
		one, err := s.Store.FindCall(ctx, c.OrgID, *previous)
		if store.CodeOf(err) == store.CodeNotFound {
			break
		}
		if err != nil {
			return err
		}
		all = append([]call.Call{one}, all...)
		previous = one.Attempt.PreviousID
	}
	for next := c.Attempt.NextID; next != nil && len(all) <= 2*call.MaxAttempts; {
		one, err := s.Store.FindCall(ctx, c.OrgID, *next)
		if store.CodeOf(err) == store.CodeNotFound {
			break
		}
		if err != nil {
			return err
		}
		all = append(all, one)
		next = one.Attempt.NextID
	}
	for _, one := range all {
		row := kit.CallRow(one, k.Labels())
		p.Chain = append(p.Chain, calls.ChainLink{CallRow: row, Here: one.ID == c.ID})
	}
	return nil
}
