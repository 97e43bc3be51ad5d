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
	names := s.NewActorNamer(ctx, v.Lang)
	for _, e := range lines {
		p.Timeline = append(p.Timeline, calls.TimelineLine{
			At: e.At, Event: eventName(e.Event, v.Lang), Actor: names(e.Actor),
			Note: timelineNote(e, c.ScenarioID, k),
		})
	}
	if err := s.addRetryChain(ctx, c, k, p); err != nil || !c.Notify {
		return err
	}
	p.Webhook, err = s.Store.DeliveryOf(ctx, c.OrgID, c.ID)
	if store.IsUnreadable(err) { // the page's notice says so
		return nil
	}
	if p.Webhook != nil && v.User.Role.Allows(account.Owner) {
		p.Delivery = kit.Root + "/webhook"
	}
	return err
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

// addRetryChain adds the previous and next attempts, up to one that was deleted.
func (s handlers) addRetryChain(ctx context.Context, c call.Call, k booking.Context, p *calls.CallView) error {
	chain := []call.Call{c}
	find := func(id *string) (call.Call, error) { return s.Store.FindCall(ctx, c.OrgID, *id) }
	for id := c.Attempt.PreviousID; id != nil && len(chain) < call.MaxAttempts; id = chain[0].Attempt.PreviousID {
		one, err := find(id)
		if store.CodeOf(err) == store.CodeNotFound {
			break
		}
		if err != nil {
			return err
		}
		chain = append([]call.Call{one}, chain...)
	}
	for id := c.Attempt.NextID; id != nil && len(chain) <= 2*call.MaxAttempts; id = chain[len(chain)-1].Attempt.NextID {
		one, err := find(id)
		if store.CodeOf(err) == store.CodeNotFound {
			break
		}
		if err != nil {
			return err
		}
		chain = append(chain, one)
	}
	for _, one := range chain {
		p.Chain = append(p.Chain, kit.CallRow(one, k.Labels()))
	}
	return nil
}
