package calls

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/ui/calls"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// countByFilter counts the calls for a list's chips from the store's counters, without regard to the selected status
// and answer.
func (s handlers) countByFilter(
	ctx context.Context, orgID string, f calls.CallsFilter, zone *time.Location,
) (kit.FilterCounts, error) {
	var sum call.CallTally
	switch {
	case f.Number != "" || f.Name != "" || f.Said != "" || f.Direction != "",
		f.Campaign != "" && (f.Scenario != "" || f.From != "" || f.To != ""):
		return kit.FilterCounts{}, nil
	case f.Campaign != "":
		found, err := s.Store.FindCampaign(ctx, orgID, f.Campaign)
		if err != nil {
			return kit.FilterCounts{}, nil //nolint:nilerr // an unknown campaign has an empty list without counts
		}
		sum = call.CallTally{Counts: found.Tally.Counts, Answers: found.Tally.Answers}
		stopped := kit.StoreFilter(calls.CallsFilter{Campaign: f.Campaign, Status: calls.StoppedCalls}, zone)
		for _, status := range stopped.Statuses {
			one := stopped
			one.Statuses = []call.CallStatus{status}
			n, err := s.Store.CountCalls(ctx, orgID, one, campaign.MaxCalls)
			if err != nil {
				return kit.FilterCounts{}, err
			}
			sum.MergeTally(call.CallTally{ByOperator: map[call.CallStatus]int{status: n}})
		}
	default:
		tallies, err := s.Store.TallyCalls(ctx, orgID, kit.DayStart(f.From, zone, 0), kit.DayStart(f.To, zone, 1))
		if err != nil {
			return kit.FilterCounts{}, err
		}
		for _, t := range tallies {
			if f.Scenario == "" || f.Scenario == t.ScenarioID {
				sum.MergeTally(t)
			}
		}
	}
	return kit.GroupTally(sum), nil
}

// statusChips returns the status groups that have calls as links; with an answer without counts, which disregard it.
func statusChips(f calls.CallsFilter, counts kit.FilterCounts, l locale.Language) []component.ListChoice {
	counted := counts.Known && f.Slot == ""
	chips := []component.ListChoice{{Name: calls.All.In(l), Count: counts.All, Counted: counted}}
	for _, group := range kit.FilterStatuses() {
		n := counts.Groups[group]
		if counts.Known && n == 0 && group != f.Status {
			continue
		}
		chips = append(
			chips, component.ListChoice{Value: group, Name: locale.CallStatuses.Word(l, group), Count: n, Counted: counted},
		)
	}
	for i := range chips {
		chips[i].Chosen, chips[i].Dot = chips[i].Value == f.Status, chips[i].Value
		g := f
		g.Status, g.Order = chips[i].Value, ""
		chips[i].URL = kit.CallsURL(calls.CallsPath, g, "")
	}
	return chips
}

const (
	// maxAnswerChips is the number of answers to one question that the list offers as links; others are typed.
	maxAnswerChips = 5
	// maxSuggestedAnswers is the number of others that are suggested then.
	maxSuggestedAnswers = 200
)

// answerChips returns the most frequent answers to each question as links, and the others as suggestions; with a status
// without counts, which do not regard it. The link of a selected answer removes it.
func answerChips(f calls.CallsFilter, counts kit.FilterCounts, labels kit.ScenarioLabels) []calls.AnswerChoices {
	slots := slices.Collect(maps.Keys(counts.Answers))
	if f.Slot != "" && !slices.Contains(slots, f.Slot) {
		slots = append(slots, f.Slot)
	}
	var all []calls.AnswerChoices
	for _, slot := range slices.Sorted(slices.Values(slots)) {
		values := givenAnswers(counts.Answers[slot])
		group := calls.AnswerChoices{Slot: slot, Name: labels.SlotLabel(f.Scenario, slot), Decision: isYesNo(values)}
		if f.Status == "" {
			group.Together = counts.Answers[slot][call.OtherAnswers]
		}
		if f.Slot == slot && values[f.Answer] == 0 { // no counter has it
			group.Choices = []component.ListChoice{answerChip(f, slot, f.Answer, labels)}
		}
		for _, value := range slices.SortedFunc(maps.Keys(values), func(a, b string) int {
			return cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(a, b))
		}) {
			chip := answerChip(f, slot, value, labels)
			if chip.Count, chip.Counted = values[value], f.Status == ""; chip.Chosen || len(group.Choices) < maxAnswerChips {
				group.Choices = append(group.Choices, chip)
			} else if len(group.Others) < maxSuggestedAnswers {
				group.Others = append(group.Others, chip.Name)
			}
		}
		if len(group.Choices) > 0 {
			all = append(all, group)
		}
	}
	return all
}

// answerChip returns an answer as a link, without its count.
func answerChip(f calls.CallsFilter, slot, value string, labels kit.ScenarioLabels) component.ListChoice {
	chosen := f.Slot == slot && f.Answer == value
	name := labels.AnswerLabel(f.Scenario, slot, value)
	if f.Slot, f.Answer = slot, value; chosen {
		f.Slot, f.Answer = "", ""
	}
	return component.ListChoice{Value: value, Name: name, Chosen: chosen, URL: kit.CallsURL(calls.CallsPath, f, "")}
}

// givenAnswers returns the counts of a question's answers without the calls that gave none, and without those that are
// counted together.
func givenAnswers(counts map[string]int) map[string]int {
	values := maps.Clone(counts)
	maps.DeleteFunc(values, func(value string, _ int) bool {
		return value == kit.NoAnswer || value == call.OtherAnswers
	})
	return values
}

// answerTyped returns the answer to the filter's question that was typed as the page calls it; what was typed if it
// calls none so.
func answerTyped(f calls.CallsFilter, counts kit.FilterCounts, labels kit.ScenarioLabels) string {
	answers := counts.Answers[f.Slot]
	if _, isValue := answers[f.Answer]; isValue {
		return f.Answer
	}
	for _, value := range slices.Sorted(maps.Keys(answers)) {
		if labels.AnswerLabel(f.Scenario, f.Slot, value) == f.Answer {
			return value
		}
	}
	return f.Answer
}

// isYesNo reports whether all values are true or false.
func isYesNo(values map[string]int) bool {
	for value := range values {
		if value != "true" && value != "false" {
			return false
		}
	}
	return true
}

// viewLinks returns a user's saved views of the list as links.
func viewLinks(views []account.SavedView, f calls.CallsFilter) []component.ListChoice {
	var links []component.ListChoice
	for _, view := range views {
		g := savedFilter(view.Query)
		links = append(links, component.ListChoice{
			Value: view.Name, Name: view.Name, URL: kit.CallsURL(calls.CallsPath, g, ""), Chosen: g == f,
		})
	}
	return links
}

// savedFilter parses the query of a saved view or of a form; invalid parts are ignored.
func savedFilter(query string) calls.CallsFilter {
	q, _ := url.ParseQuery(query) // invalid parts are dropped
	return kit.ParseFilter(q)
}

// saveView saves a filter of the list of calls under a name for the user; a view of the same name is replaced.
func (s handlers) saveView(c echo.Context) error {
	v := kit.RequestVisitor(c)
	name, filter := strings.TrimSpace(c.FormValue("name")), savedFilter(c.FormValue("query"))
	if !filter.IsActive() {
		return kit.RefuseForm("a view needs a filter")
	}
	view := account.SavedView{Name: name, Query: kit.CallsQuery(filter, "").Encode()}
	err := s.Accounts.SaveView(c.Request().Context(), v.User, view)
	switch {
	case store.CodeOf(err) == store.CodeInvalid:
		return kit.RefuseForm(err.Error())
	case errors.Is(err, auth.ErrViewsFull):
		kit.FlashProblem(c, calls.ViewsFull.In(v.Lang))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, calls.ViewSaved.In(v.Lang))
	}
	return kit.RedirectTo(c, kit.CallsURL(calls.CallsPath, filter, ""))
}

// deleteView deletes a saved view.
func (s handlers) deleteView(c echo.Context) error {
	v := kit.RequestVisitor(c)
	err := s.Accounts.DeleteView(c.Request().Context(), v.User, c.FormValue("name"))
	return kit.RedirectAfter(c, err, calls.CallsPath, calls.ViewDeleted.In(v.Lang))
}
