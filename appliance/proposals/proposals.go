// Package proposals finds phrases that the questions of a scenario could learn from the corrections of staff: words
// that were heard as the answer to a yes_no or a choice and not understood, and the value that staff gave the answer.
//
// It changes nothing: a person accepts or dismisses each phrase. A phrase is only proposed when different persons used
// it, so that nothing comes from the words of one; phrases with an identifying number, or with the value of one of the
// call's variables (names), are left out, and so are those that the question understands already, in whatever sense.
//
// Phrases are proposed to the question that they answer, and to no list of the whole organization. The organization's
// list of phrases (store/restaurant) biases transcriptions in restaurant mode; calls do not use it, since a question's
// grammar knows its answers and a boosted phrase also appears where it was not spoken. A phrase without a question has
// no value either, which is what staff chose; and words that staff corrected in free answers are mostly names and
// addresses, which must not reach from one person's call into what is recognized of others.
package proposals

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"munadi/engine/arabic"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/scenario"
)

const (
	maxCalls     = 5000                 // newest calls of a scenario that are read
	maxCorrected = 500                  // of them, corrected ones whose words are read
	maxAge       = 180 * 24 * time.Hour // of those calls
	pageSize     = 200
	leastPersons = 2  // who used a phrase
	maxWords     = 6  // of a phrase: longer answers say more than one thing
	maxProposals = 50 // of a scenario, most frequent first
)

// CallReader reads calls; every store is one.
type CallReader interface {
	CallsPage(ctx context.Context, orgID string, f store.CallFilter) (store.ListPage[call.Call], error)
	FindCall(ctx context.Context, orgID, id string) (call.Call, error)
}

// Finder finds proposals in the organization's calls.
type Finder struct {
	Calls CallReader
	// IsUnderstood reports whether a question takes words as one of its values.
	IsUnderstood func(s scenario.AnswerSlot, words string, today time.Time) bool
	Now          func() time.Time
}

// FindProposals returns the phrases that a scenario's questions could learn from its newest completed calls.
func (f *Finder) FindProposals(
	ctx context.Context, orgID string, s scenario.Scenario,
) ([]scenario.PhraseProposal, error) {
	questions := findQuestions(s)
	if len(questions) == 0 {
		return nil, nil
	}
	t := proposalTally{Finder: f, scenarioID: s.ID, questions: questions, today: f.Now(), found: map[string]*candidate{}}
	filter := store.CallFilter{
		ScenarioID: s.ID, Statuses: []call.CallStatus{call.Completed}, CreatedFrom: t.today.Add(-maxAge), Limit: pageSize,
	}
	corrected := 0
	for read := 0; read < maxCalls && corrected < maxCorrected; read += pageSize {
		page, err := f.Calls.CallsPage(ctx, orgID, filter)
		if err != nil {
			return nil, err
		}
		for _, listed := range page.Items {
			if !listed.HasCorrections() || listed.Trial || listed.ErasedAt != nil {
				continue
			}
			c, err := f.Calls.FindCall(ctx, orgID, listed.ID)
			if store.CodeOf(err) == store.CodeNotFound { // deleted since
				continue
			}
			if err != nil {
				return nil, err
			}
			t.countCall(c)
			corrected++
		}
		if filter.Cursor = page.Next; page.Next == "" {
			break
		}
	}
	return t.list(), nil
}

// question is a yes_no or a choice of a scenario.
type question struct {
	slot     scenario.AnswerSlot
	property string     // of the report
	lines    [][]string // what asks it: of each line, the texts between its templates
}

// templateForm is a template in a line: {{name|form}}.
var templateForm = regexp.MustCompile(`\{\{[^}]*\}\}`)

// findQuestions returns the questions whose slots have phrases.
func findQuestions(s scenario.Scenario) (all []question) {
	properties := map[string]string{}
	for _, property := range s.ReportProperties() {
		if filled, ok := s.ReportSlot(property); ok {
			properties[filled.Name] = property
		}
	}
	for _, step := range s.Steps {
		if step.Slot == nil || step.Slot.Type != scenario.YesNo && step.Slot.Type != scenario.Choice {
			continue
		}
		q := question{slot: *step.Slot, property: properties[step.Slot.Name]}
		for _, line := range slices.Concat(step.Say, step.Reask, step.NoInput) {
			var texts []string
			for _, text := range templateForm.Split(line.Text, -1) {
				if text = strings.TrimSpace(text); text != "" {
					texts = append(texts, text)
				}
			}
			if len(texts) > 0 {
				q.lines = append(q.lines, texts)
			}
		}
		if q.property != "" {
			all = append(all, q)
		}
	}
	return all
}

// isAskedBy reports whether a turn of the platform asks the question.
func (q question) isAskedBy(said string) bool {
	return slices.ContainsFunc(q.lines, func(texts []string) bool {
		rest := said
		for _, text := range texts {
			_, after, found := strings.Cut(rest, text)
			if !found {
				return false
			}
			rest = after
		}
		return true
	})
}

// candidate is a phrase for a value, and who used it.
type candidate struct {
	scenario.PhraseProposal
	folded  string
	persons map[string]bool
}

// proposalTally collects candidates.
type proposalTally struct {
	*Finder
	scenarioID string
	questions  []question
	today      time.Time
	found      map[string]*candidate // by the proposal's id
}

// countCall counts the answers of a call whose value staff corrected to one of the question's.
func (t *proposalTally) countCall(c call.Call) {
	var heard, current map[string]any
	if json.Unmarshal(c.Report, &heard) != nil || json.Unmarshal(c.CurrentReport(), &current) != nil {
		return
	}
	words := c.CurrentMessages()
	for _, q := range t.questions {
		value := current[q.property]
		if value == nil || value == heard[q.property] {
			continue
		}
		asked := false
		for i, m := range c.Messages {
			if m.Role == call.Assistant {
				asked = q.isAskedBy(m.Content)
			} else if asked {
				t.countAnswer(c, q, value, m.Content, words[i].Content)
			}
		}
	}
}

// countAnswer counts a turn that answered a question; one in which a part was masked is left out.
func (t *proposalTally) countAnswer(c call.Call, q question, value any, heard, corrected string) {
	folded := arabic.FoldSpelling(corrected)
	words := strings.Fields(folded)
	if len(words) == 0 || len(words) > maxWords || c.PhoneNumber == "" || isPersonal(c, words) ||
		strings.Contains(corrected, "[") || t.IsUnderstood(q.slot, corrected, t.today) {
		return
	}
	id := scenario.ProposalID(t.scenarioID, q.slot.Name, value, folded)
	known := t.found[id]
	if known == nil {
		phrase := strings.Join(strings.FieldsFunc(corrected, isNoWord), " ")
		known = &candidate{scenario.PhraseProposal{
			ID: id, Slot: q.slot.Name, Value: value, Heard: heard, Phrase: phrase,
		}, folded, map[string]bool{}}
		t.found[id] = known
	}
	known.persons[c.PhoneNumber] = true
	known.Calls = len(known.persons)
}

// isNoWord reports whether a character separates words: white space and punctuation.
func isNoWord(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }

// isPersonal reports whether words contain an identifying number, or the text of a variable of the call.
func isPersonal(c call.Call, words []string) bool {
	marks := arabic.FindIdentifiers(words)
	for _, value := range c.Variables {
		if text := arabic.FoldSpelling(fmt.Sprint(value)); text != "" {
			for _, part := range strings.Fields(text) {
				arabic.MarkPhrase(words, part, marks)
			}
		}
	}
	return slices.Contains(marks, true)
}

// list returns the phrases that enough persons used, the most frequent first, without those that mean two values.
func (t *proposalTally) list() (all []scenario.PhraseProposal) {
	values := map[[2]string]int{}
	for _, one := range t.found {
		values[[2]string{one.Slot, one.folded}]++
	}
	for _, one := range t.found {
		if one.Calls >= leastPersons && values[[2]string{one.Slot, one.folded}] == 1 {
			all = append(all, one.PhraseProposal)
		}
	}
	slices.SortFunc(all, func(a, b scenario.PhraseProposal) int {
		return cmp.Or(b.Calls-a.Calls, cmp.Compare(a.Phrase, b.Phrase))
	})
	return all[:min(len(all), maxProposals)]
}
