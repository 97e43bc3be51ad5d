package console_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"munadi/appliance/certainty"
	"munadi/appliance/console"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

// TestCertaintyOfAnswers checks that the editor sets a bound on wrong answers, and that the scenario's page says what the
// calls prove of it; a failure to read them hides only that.
func TestCertaintyOfAnswers(t *testing.T) {
	t.Parallel()
	measured, failure := certainty.Question{}, error(nil)
	b, _ := newSpeakerBench(t, func(d *console.Dependencies) {
		d.Scenarios.MeasureCertainty = func(
			_ context.Context, _ string, s scenario.Scenario, _ *time.Location,
		) ([]certainty.Question, error) {
			for _, step := range s.Steps {
				if step.MaxWrong > 0 {
					measured.Slot, measured.MaxWrong = *step.Slot, step.MaxWrong
				}
			}
			return []certainty.Question{measured}, failure
		}
	})
	form := b.getPage(account.Operator, "/scenarios/new").formValues("/console/scenarios")
	form.Set("from", "template:delivery")
	form.Set("name", "Visit")
	b.postForm(account.Operator, "/scenarios", form).wantRedirect("/console/scenarios/visit/edit")
	b.getPage(account.Operator, "/scenarios/visit").wantNoTexts("Certainty of answers")
	e := openEditor(t, b, "visit")
	at := ""
	for i, step := range draftOf(t, e.form).Steps {
		if step.Type == scenario.Ask && step.Slot.Type == scenario.YesNo {
			at = scenario.IndexPath("steps", i) + ".max_wrong"
		}
	}
	e.do("check", at, "5")
	b.postForm(account.Operator, "/scenarios/visit", e.form).wantRedirect("/console/scenarios/visit")
	measured.Needed, measured.Known, measured.Answers, measured.Asked = 199, 20, 25, 25
	b.getPage(account.Operator, "/scenarios/visit").wantTexts(
		"Certainty of answers", "at most 5 are taken wrongly unasked", "the truth of 20 answers is known, and at least 199", "every answer is read back")
	measured.Holds, measured.Threshold, measured.Bound, measured.Known, measured.Wrong = true, 0.875, 4.95, 201, 3
	monday := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	measured.Weeks = []certainty.Week{
		{Begin: monday, Counts: certainty.Counts{Answers: 20, Asked: 2, Known: 2}, Holds: true, Bound: 4.75},
		{Begin: monday.AddDate(0, 0, -7), Counts: certainty.Counts{Answers: 5, Asked: 5, Known: 5, Wrong: 3}},
	}
	b.getPage(account.Operator, "/scenarios/visit").wantTexts("a probability of 88%", "Week by week", "Monday 23 November 2026", "10%", "4.8", "not proven", "3 of 5")
	failure = errors.New("the store fails")
	b.getPage(account.Operator, "/scenarios/visit").wantTexts("Visit").wantNoTexts("Certainty of answers")
}

// TestPhraseProposals: the scenario's page lists phrases from corrections; who may, adds one to the draft or dismisses it.
func TestPhraseProposals(t *testing.T) {
	t.Parallel()
	slot := ""
	b, _ := newSpeakerBench(t, func(d *console.Dependencies) {
		d.UseCases.FindProposals = func(_ context.Context, _ string, s scenario.Scenario) (all []scenario.PhraseProposal, _ error) {
			for _, one := range s.AllSlots() {
				if one.Type == scenario.YesNo && len(one.Yes) == 0 {
					slot = one.Name
				}
			}
			return []scenario.PhraseProposal{
				{ID: "a1", Slot: slot, Value: true, Heard: "بالغالى", Phrase: "بالغالي", Calls: 2},
				{ID: "b2", Slot: slot, Value: false, Heard: "ما أظن", Phrase: "ما أظن", Calls: 3},
			}, nil
		}
	})
	form := b.getPage(account.Operator, "/scenarios/new").formValues("/console/scenarios")
	form.Set("from", "template:delivery")
	form.Set("name", "Visit")
	b.postForm(account.Operator, "/scenarios", form).wantRedirect("/console/scenarios/visit/edit")
	b.getPage(account.Viewer, "/scenarios/visit").wantTexts("Phrases from corrections", "Heard as “بالغالى”, corrected to “yes”,", "2 times.").
		wantNoTexts("Dismiss")
	b.getPage(account.Operator, "/scenarios/visit").wantTexts("Add “بالغالي”", "Dismiss")
	const decide = "/scenarios/visit/proposals"
	b.postForm(account.Operator, decide, newForm("accept", "a1")).wantRedirect("/console/scenarios/visit")
	stored, err := b.store.FindScenario(t.Context(), "acme", "visit")
	b.mustSucceed(err)
	if stored.Latest().IsPublished() {
		t.Error("an accepted phrase was published")
	}
	b.postForm(account.Operator, decide, newForm("dismiss", "b2")).wantRedirect("/console/scenarios/visit")
	b.getPage(account.Operator, "/scenarios/visit").wantTexts("بالغالي").wantNoTexts("ما أظن")
}

// TestRingTrial: who has an extension is rung there by the draft, with the values of the form, and sees the trial; others
// are led to their account.
func TestRingTrial(t *testing.T) {
	t.Parallel()
	var rung []string
	b, _ := newSpeakerBench(t, func(d *console.Dependencies) {
		d.Ring = func(_ context.Context, q service.TalkRequest, to callrules.TransferTarget) (string, error) {
			rung = append(rung, q.Scenario.ID+" "+to.String()+" "+q.Actor)
			return call.TrialPrefix + "1", nil
		}
	})
	form := b.getPage(account.Operator, "/scenarios/new").formValues("/console/scenarios")
	form.Set("from", "template:delivery")
	form.Set("name", "Visit")
	b.postForm(account.Operator, "/scenarios", form).wantRedirect("/console/scenarios/visit/edit")
	const at = "/scenarios/visit"
	b.getPage(account.Operator, at+"/talk").wantTexts("Set your extension").wantNoTexts("Ring my phone")
	b.postForm(account.Operator, at+"/ring", newForm()).wantRedirect("/console" + at + "/talk")
	if len(rung) > 0 {
		t.Errorf("without an extension %v were rung", rung)
	}
}
