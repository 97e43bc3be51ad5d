package scenarios

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// phraseProposals returns the phrases that corrections propose for a scenario. A failure to read them does not hide the
// scenario: it is logged, and the card is left out.
func (s handlers) phraseProposals(c echo.Context, plan scenario.Scenario) (shown []scenarios.PhraseProposal) {
	v := kit.RequestVisitor(c)
	all, err := s.UseCases.ListProposals(c.Request().Context(), v.Org.ID, plan.ID)
	if err != nil {
		s.Log.Warn("phrases from corrections can't be shown", "scenario", plan.ID, "err", err)
		return nil
	}
	for _, p := range all {
		question, value := proposalTexts(plan, p, v.Lang)
		shown = append(shown, scenarios.PhraseProposal{
			ID: p.ID, Question: question, Heard: p.Heard, Value: value, Phrase: p.Phrase, Calls: p.Calls,
		})
	}
	return shown
}

// proposalTexts returns the labels of a proposal's question and value.
func proposalTexts(plan scenario.Scenario, p scenario.PhraseProposal, l locale.Language) (question, value string) {
	for _, slot := range plan.AllSlots() {
		if slot.Name != p.Slot {
			continue
		}
		question = scenarios.LabelText(l, slot.Label, slot.Name)
		for _, o := range slot.Choices {
			if o.Value == p.Value {
				return question, scenarios.ChoiceLabel(l, o)
			}
		}
	}
	if p.Value == true {
		return question, scenarios.ProposalYes.In(l)
	}
	return question, scenarios.ProposalNo.In(l)
}

// decideProposal accepts or dismisses a proposed phrase.
func (s handlers) decideProposal(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	decide, said, id := s.UseCases.DismissProposal, scenarios.ProposalDismissed, c.FormValue("dismiss")
	if id == "" {
		decide, said, id = s.UseCases.AcceptProposal, scenarios.ProposalAdded, c.FormValue("accept")
	}
	decided, err := decide(c.Request().Context(), kit.RequestCaller(c), found.ID, id)
	switch l := kit.RequestVisitor(c).Lang; {
	case store.CodeOf(err) == store.CodeNotFound, kit.IsStale(err): // decided, or the scenario was changed, meanwhile
		kit.FlashProblem(c, scenarios.ProposalGone.In(l))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, locale.FillSentence(said.In(l), "phrase", decided.Phrase))
	}
	return kit.RedirectTo(c, scenariosPath+"/"+found.ID)
}
