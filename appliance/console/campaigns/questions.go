package campaigns

import (
	"slices"
	"strconv"

	"munadi/appliance/console/booking"
	"munadi/appliance/contactfile"
	"munadi/appliance/service"
	"munadi/store/campaign"
	"munadi/store/phonenumber"
	"munadi/store/scenario"
	"munadi/ui/campaigns"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// maxNumbersShown is the number of shared numbers that a question lists.
const maxNumbersShown = 20

// rowQuestions returns the questions about rows from which one call does not follow.
func (d *campaignDraft) rowQuestions(
	k booking.Context, rows []service.CampaignRow, faults map[string]string,
) (all []campaigns.RadioQuestion) {
	if n, example := d.countTwoNumbers(); n > 0 {
		q := campaigns.RadioQuestion{
			Name: twoField, Required: true, Fault: faults[twoField],
			Text: locale.FillSentence(campaigns.ImportAskTwo.In(k.Lang), "value", example, "count", strconv.Itoa(n)),
		}
		for _, one := range []component.ListChoice{
			{Value: callFirst, Name: campaigns.ImportCallFirst.In(k.Lang)},
			{Value: callSecond, Name: campaigns.ImportCallSecond.In(k.Lang)},
			{Value: callBoth, Name: campaigns.ImportCallBoth.In(k.Lang)},
		} {
			one.Chosen = one.Value == d.choice.two
			q.Options = append(q.Options, one)
		}
		all = append(all, q)
	}
	if shared := sharedNumbers(rows); len(shared) > 0 {
		all = append(all, d.sharedQuestion(k, shared, faults[sharedField]))
	}
	return all
}

// countTwoNumbers returns how many cells have two numbers, and the first of them.
func (d *campaignDraft) countTwoNumbers() (n int, example string) {
	column := slices.Index(d.fields, contactfile.PhoneField)
	if column < 0 {
		return 0, ""
	}
	for _, cells := range d.table.Rows {
		text := cells[column]
		if _, ok := contactfile.NormalizeNumber(text, d.region); !ok && contactfile.SplitNumbers(text, d.region) != nil {
			if n++; n == 1 {
				example = text
			}
		}
	}
	return n, example
}

// sharedNumbers returns the valid rows of each callable number that several people have, in the order of the file.
func sharedNumbers(rows []service.CampaignRow) (shared [][]service.CampaignRow) {
	people, byNumber := map[string]bool{}, map[string][]service.CampaignRow{}
	var numbers []string
	for _, row := range rows {
		key := row.PersonKey()
		if len(row.Violations) == 0 && phonenumber.IsE164(row.PhoneNumber) && !people[key] {
			people[key] = true
			byNumber[row.PhoneNumber] = append(byNumber[row.PhoneNumber], row)
			if len(byNumber[row.PhoneNumber]) == 2 {
				numbers = append(numbers, row.PhoneNumber)
			}
		}
	}
	for _, number := range numbers {
		shared = append(shared, byNumber[number])
	}
	return shared
}

// sharedQuestion asks who is called of several people with one number.
func (d *campaignDraft) sharedQuestion(
	k booking.Context, shared [][]service.CampaignRow, fault string,
) campaigns.RadioQuestion {
	q := campaigns.RadioQuestion{
		Name: sharedField, Required: true, Fault: fault, Lead: campaigns.ImportSharedLead.In(k.Lang),
		Options: []component.ListChoice{
			{Value: callEach, Name: campaigns.ImportCallEach.In(k.Lang), Chosen: d.choice.shared == callEach},
			{Value: callOnce, Name: campaigns.ImportCallOnce.In(k.Lang), Chosen: d.choice.shared == callOnce},
		},
	}
	people, most := 0, 0
	for i, rows := range shared {
		people, most = people+len(rows), max(most, len(rows))
		if i >= maxNumbersShown {
			continue
		}
		one := campaigns.SharedNumber{Number: rows[0].PhoneNumber}
		for _, row := range rows {
			one.Rows = append(one.Rows, row.FileRow)
		}
		q.Shared = append(q.Shared, one)
	}
	q.Text = locale.FillSentence(campaigns.ImportAskShared.In(k.Lang), "count", strconv.Itoa(people))
	if limit := k.Rules.AttemptsPerDay; limit > 0 && limit < most {
		q.Lead += " " + locale.FillSentence(campaigns.ImportSharedLimit.In(k.Lang), "count", strconv.Itoa(limit))
	}
	return q
}

// checkChoices adds a fault for each question about rows that is not answered.
func (d *campaignDraft) checkChoices(rows []service.CampaignRow, faults map[string]string, l locale.Language) {
	if n, _ := d.countTwoNumbers(); n > 0 && d.choice.two == "" {
		faults[twoField] = campaigns.ImportChoose.In(l)
	}
	if d.choice.shared == "" && len(sharedNumbers(rows)) > 0 {
		faults[sharedField] = campaigns.ImportChoose.In(l)
	}
	if len(rows) > campaign.MaxCalls {
		faults["calls"] = campaigns.NewTooMany.In(l)
	}
}

// explainSkipped says why a row is not booked.
func explainSkipped(row campaign.SkippedRow, plan scenario.Scenario, l locale.Language) string {
	switch {
	case row.Reason != service.SkippedInvalid:
		return campaigns.SkipReasons.Word(l, row.Reason)
	case row.Message == twoNumbersMessage:
		return campaigns.ImportTwoNumbers.In(l)
	}
	return booking.ExplainRow(row, plan, l)
}
