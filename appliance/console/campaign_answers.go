package console

import (
	"cmp"
	"maps"
	"slices"

	"munadi/store/campaign"
	"munadi/ui/page"
)

// mostAnswers is how many answers of a question are listed one by one.
const mostAnswers = 6

// campaignSlots returns the counted answers of a campaign's people, in the order of the scenario's questions; values
// that no question fills come last.
func campaignSlots(c campaign.Campaign, labels scenarioLabels, link campaignLink) []page.CampaignSlot {
	plan, _ := scenarioCalled(labels.scenarios, c.ScenarioID)
	answers := peopleOf(c).Answers
	place := map[string]int{}
	for i, slot := range plan.AllSlots() {
		place[slot.Name] = i + 1
	}
	names := slices.SortedFunc(maps.Keys(answers), func(a, b string) int {
		return cmp.Or(cmp.Compare(slotPlace(place, a), slotPlace(place, b)), cmp.Compare(a, b))
	})
	var slots []page.CampaignSlot
	for _, name := range names {
		if counts := answers[name]; len(counts) == 1 && counts[noValue] > 0 { // a question that was never asked
			continue
		}
		slots = append(slots, answersOf(c, name, labels, link))
	}
	return slots
}

// slotPlace is the place of a question; after all others for an unknown one.
func slotPlace(place map[string]int, name string) int {
	if at := place[name]; at > 0 {
		return at
	}
	return len(place) + 1
}

// answersOf lists the counts of one question, most frequent first, and those without an answer last.
func answersOf(c campaign.Campaign, name string, labels scenarioLabels, link campaignLink) page.CampaignSlot {
	counts, total := peopleOf(c).Answers[name], 0
	slot := page.CampaignSlot{Label: labels.slotLabel(c.ScenarioID, name)}
	for _, n := range counts {
		total += n
	}
	values := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(compareBools(a == noValue, b == noValue), cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, value := range values {
		if len(slot.Counts) == mostAnswers || value == campaign.OtherAnswers {
			slot.Others += counts[value]
			continue
		}
		slot.Counts = append(slot.Counts, page.CampaignCount{
			Label: labels.answerLabel(c.ScenarioID, name, value), Count: counts[value], Of: total,
			URL: link("", name, value),
		})
	}
	return slot
}

// noValue is the answer of a call that got none, as campaigns count it.
const noValue = "null"

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
