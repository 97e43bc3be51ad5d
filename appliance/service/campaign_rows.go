package service

import (
	"context"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/campaign"
	"munadi/store/scenario"
)

// CheckRows judges rows as CreateCampaign does, without booking anything: the rows that would be skipped, each with its
// first fault.
func (s *CampaignService) CheckRows(
	ctx context.Context, orgID string, plan scenario.Scenario, rows []CampaignRow,
) ([]campaign.SkippedRow, error) {
	skipped, _, err := s.checkRows(ctx, orgID, plan, rows, s.Now().UTC())
	return skipped, err
}

// ListPeople returns a row for each number of the calls that a filter finds, with the newest call's variables, as far as
// the scenario has them. At most [campaign.MaxCalls] rows; more says that there are further ones.
func (s *CampaignService) ListPeople(
	ctx context.Context, orgID string, f store.CallFilter, plan scenario.Scenario,
) (rows []CampaignRow, more bool, err error) {
	declared, seen := map[string]bool{}, map[string]bool{}
	for _, v := range plan.Variables {
		declared[v.Name] = true
	}
	f.Limit, f.Cursor = pageSize, ""
	for {
		page, err := s.Store.CallsPage(ctx, orgID, f)
		if err != nil {
			return nil, false, err
		}
		for _, one := range page.Items {
			if one.PhoneNumber == "" || seen[one.PhoneNumber] {
				continue
			}
			if len(rows) == campaign.MaxCalls {
				return rows, true, nil
			}
			seen[one.PhoneNumber] = true
			row := CampaignRow{PhoneNumber: one.PhoneNumber, Variables: map[string]any{}}
			for name, value := range one.Variables {
				if declared[name] {
					row.Variables[name] = value
				}
			}
			rows = append(rows, row)
		}
		if f.Cursor = page.Next; f.Cursor == "" {
			return rows, false, nil
		}
	}
}

// checkRows judges all rows: those to be skipped, with the first fault of each, and every violation with its full path.
func (s *CampaignService) checkRows(
	ctx context.Context, orgID string, plan scenario.Scenario, rows []CampaignRow, now time.Time,
) (skipped []campaign.SkippedRow, all []FieldViolation, err error) {
	seen := map[string]int{}
	for i, row := range rows {
		reason, found := skippedInvalid, row.checkRow(plan)
		if first, again := seen[row.PhoneNumber]; again && len(found) == 0 {
			reason = skippedDuplicate
			found.addViolation("phone_number", "is the number of calls.%d too", first)
		}
		if len(found) == 0 {
			entry, err := s.Store.FindSuppression(ctx, orgID, row.PhoneNumber, now)
			if err != nil {
				return nil, nil, err
			}
			if entry != nil {
				reason = skippedSuppressed
				found.addViolation("phone_number", "is on the suppression list: it is not to be called")
			}
			seen[row.PhoneNumber] = i
		}
		for n, v := range found {
			v.Field = fmt.Sprintf("calls.%d.%s", i, v.Field)
			if all = append(all, v); n == 0 {
				skipped = append(skipped, campaign.SkippedRow{
					Index: i, PhoneNumber: row.PhoneNumber, Reason: reason, Field: v.Field, Message: v.Message,
				})
			}
		}
	}
	return skipped, all, nil
}

// checkRow lists what is wrong with a row by itself.
func (r CampaignRow) checkRow(plan scenario.Scenario) violationList {
	if len(r.Violations) > 0 {
		return r.Violations
	}
	var found violationList
	if !IsValidNumber(r.PhoneNumber) {
		found.addViolation("phone_number", "%s", InvalidNumber)
	}
	found = append(found, CheckMetadata(r.Metadata)...)
	found = append(found, CheckVariableNames(r.Variables)...)
	for _, fault := range plan.CheckVariables(r.Variables) {
		found.addViolation(fault.Field, "%s", fault.Message)
	}
	return found
}

// checkSpoken notes the lines that no voice can say: in the row whose variables they hold, or for the scenario.
func (s *CampaignService) checkSpoken(
	ctx context.Context, orgID string, plan scenario.Scenario, rows []CampaignRow, found *violationList,
) error {
	var sound []int
	var variables []map[string]any
	for i, row := range rows {
		if len(row.checkRow(plan)) == 0 {
			sound, variables = append(sound, i), append(variables, row.Variables)
		}
	}
	if s.FindUnspoken == nil || len(sound) == 0 {
		return nil
	}
	plan.OrgID = orgID
	all, each, err := s.FindUnspoken(ctx, plan, variables)
	for _, fault := range all {
		found.addViolation(fault.Field, "%s", fault.Message)
	}
	for n, faults := range each {
		for _, fault := range faults {
			row := &rows[sound[n]]
			row.Violations = append(row.Violations, FieldViolation{Field: fault.Field, Message: fault.Message})
		}
	}
	return err
}
