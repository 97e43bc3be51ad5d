package service

import (
	"context"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/campaign"
	"munadi/store/phonenumber"
	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// CheckRows checks rows like CreateCampaign, without booking anything: it returns the rows that would be skipped, each
// with its first violation, and the violations of the scenario itself. eachPerson is that of [CampaignRequest].
func (u *UseCases) CheckRows(
	ctx context.Context, orgID string, plan scenario.Scenario, rows []CampaignRow, eachPerson bool,
) (skipped []campaign.SkippedRow, found FieldViolations, err error) {
	if err := u.checkVoices(ctx, orgID, plan, rows, &found); err != nil {
		return nil, nil, err
	}
	skipped, _, err = u.checkRows(ctx, orgID, plan, rows, eachPerson, u.now())
	return skipped, found, err
}

// ListPeople returns a row for each number of the calls that a filter finds, with those of the newest call's variables
// that the scenario declares. At most [campaign.MaxCalls] rows; more means that there are further ones.
func (u *UseCases) ListPeople(
	ctx context.Context, orgID string, f store.CallFilter, plan scenario.Scenario,
) (rows []CampaignRow, more bool, err error) {
	declared, seen := map[string]bool{}, map[string]bool{}
	for _, v := range plan.Variables {
		declared[v.Name] = true
	}
	f.Limit, f.Cursor = pageSize, ""
	for {
		page, err := u.Store.CallsPage(ctx, orgID, f)
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

// checkRows checks all rows. It returns those to be skipped, each with its first violation, and all violations with
// their full paths.
func (u *UseCases) checkRows(
	ctx context.Context, orgID string, plan scenario.Scenario, rows []CampaignRow, eachPerson bool, now time.Time,
) (skipped []campaign.SkippedRow, all FieldViolations, err error) {
	seen := map[string]int{}
	for i, row := range rows {
		reason, found := SkippedInvalid, row.checkRow(plan)
		person := row.PhoneNumber
		if eachPerson {
			person = row.PersonKey()
		}
		if first, again := seen[person]; again && len(found) == 0 {
			reason = SkippedDuplicate
			found.AddViolation("phone_number", "is a duplicate of calls.%d", first)
		}
		if len(found) == 0 {
			entry, err := u.Store.FindSuppression(ctx, orgID, row.PhoneNumber, now)
			if err != nil {
				return nil, nil, err
			}
			if entry != nil {
				reason = SkippedSuppressed
				found.AddViolation("phone_number", "is on the suppression list (do not call)")
			}
			seen[person] = i
		}
		for n, v := range found {
			v.Field = strictjson.PrefixPath(fmt.Sprintf("calls.%d", i), v.Field)
			if all = append(all, v); n == 0 {
				skipped = append(skipped, campaign.SkippedRow{
					FileRow: row.FileRow, Index: i, PhoneNumber: row.PhoneNumber, Reason: reason, Field: v.Field, Message: v.Message,
				})
			}
		}
	}
	return skipped, all, nil
}

// PersonKey returns a text that two rows have in common if they ask for the same call to the same person.
func (r CampaignRow) PersonKey() string {
	return fmt.Sprintf("%q %#v %#v", r.PhoneNumber, r.Variables, r.Metadata)
}

// checkRow returns the violations of one row.
func (r CampaignRow) checkRow(plan scenario.Scenario) FieldViolations {
	if len(r.Violations) > 0 {
		return r.Violations
	}
	var found FieldViolations
	if !phonenumber.IsE164(r.PhoneNumber) {
		found.AddViolation("phone_number", "%s", InvalidNumber)
	}
	checkMetadata(r.Metadata, &found)
	checkVariableNames(r.Variables, &found)
	found.AddAll(plan.CheckVariables(r.Variables))
	return found
}

// checkVoices adds violations for lines that no voice can speak: to the row whose variables they contain, or to the
// scenario.
func (u *UseCases) checkVoices(
	ctx context.Context, orgID string, plan scenario.Scenario, rows []CampaignRow, found *FieldViolations,
) error {
	var valid []int
	var variables []map[string]any
	for i, row := range rows {
		if len(row.checkRow(plan)) == 0 {
			valid, variables = append(valid, i), append(variables, row.Variables)
		}
	}
	if u.Scenarios == nil || len(valid) == 0 {
		return nil
	}
	plan.OrgID = orgID
	all, each, err := u.Scenarios.CheckRows(ctx, plan, variables)
	for _, fault := range all {
		found.AddReason(Unspeakable, fault.Field, "%s", fault.Message)
	}
	for n, faults := range each {
		for _, fault := range faults {
			row := &rows[valid[n]]
			fault.Reason = Unspeakable
			row.Violations = append(row.Violations, fault)
		}
	}
	return err
}
