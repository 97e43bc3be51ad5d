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
	found := webhook.Subjects{}
	if err := s.addCallSubjects(ctx, v, all, found); err != nil {
		return nil, err
	}
	if err := s.addAlertSubjects(ctx, v, all, found); err != nil {
		return nil, err
	}
	for _, id := range subjectIDs(all, isAboutCampaign) {
		one, err := s.Store.FindCampaign(ctx, v.Org.ID, id)
		if err == nil {
			found[id] = webhook.Subject{Name: one.Name, URL: Root + "/campaigns/" + id}
		} else if store.CodeOf(err) != store.CodeNotFound && !store.IsUnreadable(err) {
			return nil, err
		}
	}
	return found, nil
}

// subjectIDs returns the different ids that deliveries of a kind name.
func subjectIDs(all []delivery.Delivery, isAbout func(delivery.Delivery) bool) (ids []string) {
	for _, d := range all {
		if isAbout(d) && !slices.Contains(ids, d.CallID) {
			ids = append(ids, d.CallID)
		}
	}
	return ids
}

func isAboutAlert(d delivery.Delivery) bool {
	return d.Kind == delivery.AlertRaised || d.Kind == delivery.AlertCleared
}

func isAboutCampaign(d delivery.Delivery) bool {
	return !isAboutAlert(d) && strings.HasPrefix(d.CallID, campaign.Prefix)
}

func isAboutCall(d delivery.Delivery) bool {
	return !isAboutAlert(d) && strings.HasPrefix(d.CallID, call.Prefix) && d.Kind != delivery.Test
}

// addCallSubjects adds the calls of deliveries.
func (s *Console) addCallSubjects(
	ctx context.Context, v Visitor, all []delivery.Delivery, found webhook.Subjects,
) error {
	ids := subjectIDs(all, isAboutCall)
	if len(ids) == 0 {
		return nil
	}
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	labels := ScenarioLabels{Scenarios: scenarios, Lang: v.Lang}
	stored, err := s.Store.FindCalls(ctx, v.Org.ID, ids)
	for id, one := range stored {
		row := CallRow(one, labels)
		found[id] = webhook.Subject{Call: &row, URL: calls.CallsPath + "/" + id}
	}
	return err
}

// addAlertSubjects adds the titles of the alerts of deliveries.
func (s *Console) addAlertSubjects(
	ctx context.Context, v Visitor, all []delivery.Delivery, found webhook.Subjects,
) error {
	ids := subjectIDs(all, isAboutAlert)
	if len(ids) == 0 {
		return nil
	}
	board, err := s.FindAlerts(ctx, v.Org.ID)
	for _, a := range slices.Concat(board.Open, board.Past) {
		if slices.Contains(ids, a.ID) {
			title := locale.DescribeAlert(v.Lang, string(a.Kind), a.Subject, a.Facts).Title
			found[a.ID] = webhook.Subject{Name: title, URL: Root + "/alerts"}
		}
	}
	return err
}
