package service

import (
	"context"
	"slices"

	"munadi/store"
	"munadi/store/restaurant"
	"munadi/store/scenario"
)

// ListProposals returns the phrases that a scenario, its draft if there is one, could learn from staff's corrections,
// without the dismissed ones.
func (u *UseCases) ListProposals(ctx context.Context, orgID, id string) ([]scenario.PhraseProposal, error) {
	plan, known, err := u.FindScenario(ctx, orgID, id)
	if err == nil && !known {
		err = store.Errorf(store.CodeNotFound, "there is no scenario %q", id)
	}
	if err != nil || u.FindProposals == nil {
		return nil, err
	}
	all, err := u.FindProposals(ctx, orgID, plan.Latest())
	if err != nil || len(all) == 0 {
		return nil, err
	}
	kept, err := u.Store.FindPhrases(ctx, orgID)
	if err != nil || kept == nil {
		return all, err
	}
	isDismissed := func(p scenario.PhraseProposal) bool { return slices.Contains(kept.Dismissed, p.ID) }
	return slices.DeleteFunc(all, isDismissed), nil
}

// findProposal returns a proposal of a scenario; [store.CodeNotFound] if it is not proposed, or not any more.
func (u *UseCases) findProposal(ctx context.Context, orgID, id, proposalID string) (scenario.PhraseProposal, error) {
	all, err := u.ListProposals(ctx, orgID, id)
	if err != nil {
		return scenario.PhraseProposal{}, err
	}
	i := slices.IndexFunc(all, func(p scenario.PhraseProposal) bool { return p.ID == proposalID })
	if i < 0 {
		return scenario.PhraseProposal{}, store.Errorf(store.CodeNotFound, "there is no proposal %q", proposalID)
	}
	return all[i], nil
}

// AcceptProposal adds a proposed phrase to the draft of its scenario; publishing the draft puts it in force.
func (u *UseCases) AcceptProposal(
	ctx context.Context, who Caller, id, proposalID string,
) (scenario.PhraseProposal, error) {
	accepted, err := u.findProposal(ctx, who.OrgID, id, proposalID)
	if err != nil {
		return accepted, err
	}
	found, known, err := u.FindScenario(ctx, who.OrgID, id)
	plan := found.Latest()
	version := plan.Version
	if err == nil && (!known || !plan.AddPhrase(accepted)) {
		err = store.Errorf(store.CodeNotFound, "scenario %q has no such question any more", id)
	}
	if err != nil {
		return accepted, err
	}
	plan.Status = scenario.DraftStatus
	_, err = u.PutScenario(ctx, who, plan, func(kept scenario.Scenario) bool { return kept.Version == version })
	return accepted, err
}

// DismissProposal removes a proposed phrase: it is not proposed again.
func (u *UseCases) DismissProposal(
	ctx context.Context, who Caller, id, proposalID string,
) (scenario.PhraseProposal, error) {
	dismissed, err := u.findProposal(ctx, who.OrgID, id, proposalID)
	if err != nil {
		return dismissed, err
	}
	return dismissed, u.Store.ChangePhrases(ctx, who.OrgID, who.Actor, u.now(), func(p *restaurant.PhraseSet) error {
		p.Dismiss(proposalID)
		return nil
	})
}
