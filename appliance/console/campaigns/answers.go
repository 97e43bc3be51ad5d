package campaigns

import (
	"cmp"
	"maps"
	"slices"

	"munadi/appliance/console/kit"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/ui/campaigns"
)

// maxAnswers is the number of answers to a question that are listed; the others are summed up.
const maxAnswers = 6

// campaignSlots returns the answer counts of a campaign's people in the order of the scenario's questions; answers
// without a question come last.
func campaignSlots(c campaign.Campaign, labels kit.ScenarioLabels) []campaigns.CampaignSlot {
	plan, _ := kit.FindScenario(labels.Scenarios, c.ScenarioID)
	answers := kit.PeopleTally(c).Answers
	place := map[string]int{}
	for i, slot := range plan.AllSlots() {
		place[slot.Name] = i + 1
	}
	names := slices.SortedFunc(maps.Keys(answers), func(a, b string) int {
		return cmp.Or(cmp.Compare(slotOrder(place, a), slotOrder(place, b)), cmp.Compare(a, b))
	})
	var slots []campaigns.CampaignSlot
	for _, name := range names {
		if counts := answers[name]; len(counts) == 1 && counts[kit.NoAnswer] > 0 { // a question that was never asked
			continue
		}
		slots = append(slots, answerCounts(c, name, labels))
	}
	return slots
}

// slotOrder returns the position of a question; after all others for an unknown one.
func slotOrder(place map[string]int, name string) int {
	if at := place[name]; at > 0 {
		return at
	}
	return len(place) + 1
}

// answerCounts returns the counts of one question, most frequent first, and missing answers last.
func answerCounts(c campaign.Campaign, name string, labels kit.ScenarioLabels) campaigns.CampaignSlot {
	counts, total := kit.PeopleTally(c).Answers[name], 0
	slot := campaigns.CampaignSlot{Label: labels.SlotLabel(c.ScenarioID, name)}
	for _, n := range counts {
		total += n
	}
	values := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(
			compareBools(a == kit.NoAnswer, b == kit.NoAnswer), cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b),
		)
	})
	for _, value := range values {
		if len(slot.Counts) == maxAnswers || value == call.OtherAnswers {
			slot.Others += counts[value]
			continue
		}
		slot.Counts = append(slot.Counts, campaigns.CampaignCount{
			Label: labels.AnswerLabel(c.ScenarioID, name, value), Count: counts[value], Of: total,
			URL: campaigns.PeoplePath(c.ID, "", name, value),
		})
	}
	return slot
}

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
