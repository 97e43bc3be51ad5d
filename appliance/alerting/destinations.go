package alerting

import (
	"context"

	"munadi/store"
	"munadi/store/alert"
)

// judgeDestinations returns the conditions of an organization's destinations that were switched off by themselves, and
// of those of which an alert is open.
func (m *AlertMonitor) judgeDestinations(
	ctx context.Context, orgID string, board alert.AlertBoard,
) (all []Condition, err error) {
	destinations, err := m.Store.FindDestinations(ctx, orgID)
	if err != nil {
		return nil, store.IgnoreMissing(err) // of a damaged board open alerts stay
	}
	for _, d := range destinations.Destinations {
		if d.SwitchedOffAt != nil {
			all = append(all, Condition{
				Kind: alert.DestinationOff, Subject: d.ID, State: Holds, Facts: map[string]string{"host": d.Host()},
			})
		}
	}
	for _, a := range board.Open {
		if one := destinations.FindDestination(a.Subject); a.Kind == alert.DestinationOff &&
			(one == nil || one.SwitchedOffAt == nil) {
			all = append(all, Condition{Kind: a.Kind, Subject: a.Subject, State: Over})
		}
	}
	return all, nil
}
