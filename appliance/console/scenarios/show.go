package scenarios

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/certainty"
	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/tts"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/scenario"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// showScenario shows one scenario as a script: its draft, if there is one.
func (s handlers) showScenario(c echo.Context) error {
	found, err := s.requestScenario(c)
	if err != nil {
		return err
	}
	return s.scenarioPage(c, http.StatusOK, found, s.tryForm(c, found.Latest()), nil)
}

// draftNote says of a draft what calls follow instead; nil for a published scenario.
func draftNote(found scenario.Scenario, l locale.Language) *scenarios.DraftNote {
	latest := found.Latest()
	switch {
	case latest.IsPublished():
		return nil
	case !found.IsPublished():
		return &scenarios.DraftNote{Text: scenarios.DraftOnlyNote.In(l)}
	case found.BuiltIn:
		return &scenarios.DraftNote{Text: scenarios.DraftBuiltInNote.In(l), Version: latest.Version}
	}
	text := locale.FillSentence(scenarios.DraftBesideNote.In(l), "n", found.Version)
	return &scenarios.DraftNote{Text: text, Version: latest.Version}
}

func (s handlers) scenarioPage(
	c echo.Context, status int, found scenario.Scenario, try *scenarios.TryScenario, run *scenario.TestRun,
) error {
	v := kit.RequestVisitor(c)
	kind, note := s.scenarioKind(found), draftNote(found, v.Lang)
	found = found.Latest()
	source, err := scenarioJSON(found)
	if err != nil {
		return err
	}
	found = kit.TranslateBuiltIn(found, v.Lang)
	p := scenarios.ScenarioView{
		ConsolePage: s.scenarioFrame(c, found.Name), May: v.User.Role.Allows(account.Operator),
		ID: found.ID, Name: found.Name, About: found.Description, Kind: kind, JSON: source, Try: try,
		Conduct: conductFacts(found, v.Lang), Draft: note, Tests: testLines(found.Tests, run, v.Lang),
	}
	p.Path = scenariosPath + "/" + found.ID
	for _, one := range found.Variables {
		shown := describeVariable(v.Lang, one)
		shown.Required, shown.Choices = one.Required, booking.ChoiceNames(v.Lang, one)
		p.Variables = append(p.Variables, shown)
	}
	p.Steps, p.Identify, p.Questions = scriptView(found, v.Lang)
	p.Voices, p.Certain = s.callVoices(c, found), s.certainQuestions(c, found)
	p.Proposals = s.phraseProposals(c, found)
	p.Map = scenarios.DrawMap(found, v.Lang, s.mapFacts(c, found, func(i int) string {
		return "#" + scenarios.StepAnchor(found.Steps[i].ID)
	}))
	return kit.RenderPage(c, status, scenarios.ScenarioPage(p))
}

// conductFacts returns how calls of a scenario are conducted: retries, limits, calling hours.
func conductFacts(s scenario.Scenario, l locale.Language) []scenarios.ScenarioFact {
	retry := scenarios.ScenarioFact{Label: scenarios.Retry.In(l), Value: scenarios.Once.In(l)}
	if s.Retry != nil && s.Retry.MaxAttempts > 1 {
		retry.Value = scenarios.RetryText.In(l).Fill(s.Retry.MaxAttempts, "min", form.FormatNumbers(s.Retry.DelayMinutes))
	}
	facts := []scenarios.ScenarioFact{
		retry,
		{Label: scenarios.Longest.In(l), Value: formatWholeSeconds(l, s.MaxDuration())},
		{Label: scenarios.Ring.In(l), Value: formatWholeSeconds(l, s.RingTimeout())},
		{Label: scenarios.Machine.In(l), Value: scenarios.MachineName(l, string(s.MachinePolicyOrDefault()))},
	}
	if s.UpdateBookedCalls {
		facts = append(facts, scenarios.ScenarioFact{Label: scenarios.Booked.In(l), Value: scenarios.BookedFollow.In(l)})
	} else if !s.BuiltIn {
		facts = append(facts, scenarios.ScenarioFact{Label: scenarios.Booked.In(l), Value: scenarios.BookedKeep.In(l)})
	}
	for _, day := range formatHours(s.CallingHours, l) {
		facts = append(facts, scenarios.ScenarioFact{Label: scenarios.Hours.In(l), Value: day})
	}
	for _, phrase := range s.OptOutPhrases {
		facts = append(facts, scenarios.ScenarioFact{Label: scenarios.OptOut.In(l), Value: phrase})
	}
	for _, slot := range s.AllSlots() {
		label := scenarios.LabelText(l, slot.Label, slot.Name)
		facts = append(facts, scenarios.ScenarioFact{Label: scenarios.Reports.In(l), Value: label})
	}
	return facts
}

func formatWholeSeconds(l locale.Language, d time.Duration) string {
	return scenarios.Seconds.In(l).Fill(int(d.Seconds()))
}

// shownWeeks is how many weeks of a question's answers the page shows.
const shownWeeks = 8

// certainQuestions returns what the calls say about the questions with a bound on wrong answers. A failure to read them
// does not hide the scenario: it is logged, and the card is left out.
func (s handlers) certainQuestions(c echo.Context, plan scenario.Scenario) []scenarios.CertainQuestion {
	if s.MeasureCertainty == nil || !certainty.HasBounds(plan) {
		return nil
	}
	v := kit.RequestVisitor(c)
	asked, err := s.MeasureCertainty(c.Request().Context(), v.Org.ID, plan, s.OrganizationZone(c))
	if err != nil {
		s.Log.Warn("the certainty of answers can't be shown", "scenario", plan.ID, "err", err)
		return nil
	}
	var shown []scenarios.CertainQuestion
	for _, q := range asked {
		shown = append(shown, certainQuestion(q, v.Lang))
	}
	return shown
}

// certainQuestion shows a question.
func certainQuestion(q certainty.Question, l locale.Language) scenarios.CertainQuestion {
	shown := scenarios.CertainQuestion{
		Label: scenarios.LabelText(l, q.Slot.Label, q.Slot.Name), MaxWrong: q.MaxWrong, Holds: q.Holds, Bound: q.Bound,
		Needed: q.Needed, Threshold: q.Threshold,
		All: scenarios.AnswerCounts(q.Counts),
	}
	for _, week := range q.Weeks[:min(len(q.Weeks), shownWeeks)] {
		shown.Weeks = append(shown.Weeks, scenarios.CertainWeek{
			Begin: week.Begin, AnswerCounts: scenarios.AnswerCounts(week.Counts), Holds: week.Holds, Bound: week.Bound,
		})
	}
	return shown
}

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

// voiceOf returns which voice speaks a line of a scenario. A line with values is spoken by a voice that speaks any
// text, if there is one.
func (s handlers) voiceOf(c echo.Context, plan scenario.Scenario, text string) scenarios.LineVoice {
	return scenarios.LineVoice(s.Voices.FindVoice(c.Request().Context(), tts.SpeechRequest{
		OrgID: kit.RequestVisitor(c).Org.ID, Text: text, Voice: plan.Voice,
	}))
}

// neuralNames lists the installed neural voices.
func (s handlers) neuralNames() []string {
	if s.NeuralNames == nil {
		return nil
	}
	return s.NeuralNames()
}

// markVoices says of each line of a form which voice speaks it.
func (s handlers) markVoices(c echo.Context, p *scenarios.ScenarioEditor, plan scenario.Scenario) {
	if p.Voices = s.callVoices(c, plan); p.Voices == nil {
		return
	}
	p.Form.EachLine(func(line *scenarios.SpokenInput) {
		if line.Text.Value != "" {
			line.Voice = s.voiceOf(c, plan, line.Text.Value)
			line.Voiced = line.Fixed || line.Voice != scenarios.NoVoice
		}
	})
}

// callVoices returns the voices of all lines of a scenario; nil where they are not known.
func (s handlers) callVoices(c echo.Context, plan scenario.Scenario) *scenarios.CallVoices {
	if s.Voices == nil {
		return nil
	}
	voices, seen := &scenarios.CallVoices{}, map[string]bool{}
	for _, line := range plan.SpokenLines() {
		if line.Text != "" && !seen[line.Text] {
			seen[line.Text] = true
			voices.AddLine(s.voiceOf(c, plan, line.Text), line.Text, scenario.IsFixed(line.Text))
		}
	}
	return voices
}
