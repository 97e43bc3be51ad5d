package kit

import (
	"context"
	"slices"
	"strings"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/ui/calls"
	"munadi/ui/locale"
	"munadi/ui/webhook"
)

// FindSubjects returns what a page of deliveries is about, by the id that each names: people's calls, campaigns and
// alerts. What is no longer stored, or cannot be read, is left out: its id is shown.
func (s *Console) FindSubjects(ctx context.Context, v Visitor, all ...delivery.Delivery) (webhook.Subjects, error) {
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return nil, err
	}
	found, labels := webhook.Subjects{}, ScenarioLabels{Scenarios: scenarios, Lang: v.Lang}
	for _, d := range all {
		if _, known := found[d.CallID]; known {
			continue
		}
		subject, err := s.findSubject(ctx, v, d, labels)
		if err != nil && store.CodeOf(err) != store.CodeNotFound && !store.IsUnreadable(err) {
			return nil, err
		}
		if err == nil {
			found[d.CallID] = subject
		}
	}
	return found, nil
}

// findSubject returns what a delivery is about; the zero subject if people have no other name for it than its id.
func (s *Console) findSubject(
	ctx context.Context, v Visitor, d delivery.Delivery, labels ScenarioLabels,
) (subject webhook.Subject, err error) {
	switch {
	case d.Kind == delivery.AlertRaised || d.Kind == delivery.AlertCleared:
		return s.findAlertSubject(ctx, v, d.CallID)
	case strings.HasPrefix(d.CallID, campaign.Prefix):
		found, err := s.Store.FindCampaign(ctx, v.Org.ID, d.CallID)
		return webhook.Subject{Name: found.Name, URL: Root + "/campaigns/" + d.CallID}, err
	case strings.HasPrefix(d.CallID, call.Prefix) && d.Kind != delivery.Test:
		found, err := s.Store.FindCall(ctx, v.Org.ID, d.CallID)
		row := CallRow(found, labels)
		return webhook.Subject{Call: &row, URL: calls.CallsPath + "/" + d.CallID}, err
	}
	return subject, nil
}

// findAlertSubject returns the title of an alert; the zero subject for one that is no longer kept.
func (s *Console) findAlertSubject(ctx context.Context, v Visitor, id string) (webhook.Subject, error) {
	board, err := s.Store.FindAlerts(ctx, v.Org.ID)
	for _, a := range slices.Concat(board.Open, board.Past) {
		if a.ID == id {
			title := locale.DescribeAlert(v.Lang, string(a.Kind), a.Subject, a.Facts).Title
			return webhook.Subject{Name: title, URL: Root + "/alerts"}, err
		}
	}
	return webhook.Subject{}, err
}
