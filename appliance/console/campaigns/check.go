package campaigns

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/contactfile"
	"munadi/appliance/service"
	"munadi/store/campaign"
	"munadi/ui/calls"
	"munadi/ui/campaigns"
	"munadi/ui/locale"
)

// maxFaultyShown is the number of invalid rows that a page shows; it says how many further ones there are.
const maxFaultyShown = 100

// checkCampaign shows the invalid rows of a draft, and the settings.
func (s handlers) checkCampaign(c echo.Context) error {
	k, d, err := s.readCampaignDraft(c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	if d.gone {
		return s.columnsPage(c, http.StatusUnprocessableEntity, d, false, campaigns.NewScenarioGone.In(l))
	}
	if !slices.Contains(d.fields, contactfile.PhoneField) {
		return s.columnsPage(c, http.StatusUnprocessableEntity, d, false, campaigns.NewNeedPhone.In(l))
	}
	if err := s.rememberColumns(c.Request().Context(), kit.RequestVisitor(c).Org.ID, d); err != nil {
		return err
	}
	return s.campaignCheckPage(c, http.StatusOK, k, d, typedSettings(c), nil)
}

// readCampaignDraft reads the draft of a form and the data to validate it.
func (s handlers) readCampaignDraft(c echo.Context) (booking.Context, campaignDraft, error) {
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return k, campaignDraft{}, err
	}
	d, err := s.parseCampaignDraft(c, k.Scenarios)
	return k, d, err
}

// rememberColumns saves the column mapping for files with these headers, and the country.
func (s handlers) rememberColumns(ctx context.Context, orgID string, d campaignDraft) error {
	return s.Store.ChangeImportMemory(ctx, orgID, func(m *campaign.ImportMemory) {
		m.Region = d.region
		m.AddMapping(campaign.ColumnMapping{Headers: d.table.Header, ScenarioID: d.plan.ID, Fields: d.fields})
	})
}

// campaignCheckPage shows the third step; faults of the settings come with status 422.
func (s handlers) campaignCheckPage(
	c echo.Context, status int, k booking.Context, d campaignDraft, typed campaigns.CampaignSettings,
	faults map[string]string,
) error {
	v := kit.RequestVisitor(c)
	rows := d.contactRows()
	skipped, found, err := s.UseCases.CheckRows(c.Request().Context(), v.Org.ID, d.plan, rows, d.choice.shared == callEach)
	if err != nil {
		return err
	}
	if faults == nil {
		faults = explainCampaign(found, k, v.Lang)
	}
	p := campaigns.CampaignCheck{
		ConsolePage: s.campaignFrame(c, campaigns.NewCheckTitle.In(v.Lang)), Good: len(rows) - len(skipped),
		Settings: settingFields(typed, d, k, faults), Faults: faults,
		Scenario: kit.ScenarioName(k.Scenarios, d.plan.ID), Totals: d.totals,
		Days: kit.OpenDays(k.Rules, d.plan, k.Zone, k.Now, k.Lang),
	}
	p.Start = campaigns.ImportStartCalls.In(v.Lang).Fill(p.Good, "scenario", p.Scenario, "hours", callingHours(k, d))
	p.Doubts, p.Questions = d.doubtQuestions(v.Lang), append(d.rowQuestions(k, rows, faults), d.styleQuestions(v.Lang)...)
	p.Preview = s.previewRows(c, d, rows, skipped)
	p.Path, p.Module = campaigns.CampaignsPath+"/new", "js/console-campaign-new.js"
	if p.Draft, err = d.draftView(); err != nil {
		return err
	}
	for j, field := range d.fields {
		if field != "" && field != metadataField {
			p.Labels = append(p.Labels, d.table.Header[j])
		}
	}
	for _, row := range skipped {
		d.addSkipped(&p, row)
	}
	return kit.RenderPage(c, status, campaigns.CampaignCheckPage(p))
}

// callingHours returns the hours in which the first calls of a campaign are made, as text.
func callingHours(k booking.Context, d campaignDraft) string {
	for _, day := range kit.OpenDays(k.Rules, d.plan, k.Zone, d.today, k.Lang) {
		switch {
		case day.IsWholeDay():
			return locale.FillSentence(campaigns.ImportAllDay.In(k.Lang), "day", day.Name)
		case len(day.Open) > 0:
			return day.Name + " \u2066" + day.HoursText() + "\u2069"
		}
	}
	return calls.Closed.In(k.Lang)
}

// addSkipped adds a row that is not called to the list of its reason. A row with two numbers is listed once.
func (d *campaignDraft) addSkipped(p *campaigns.CampaignCheck, row campaign.SkippedRow) {
	switch row.Reason {
	case service.SkippedDuplicate:
		p.Duplicates = append(p.Duplicates, row)
	case service.SkippedSuppressed:
		p.Suppressed = append(p.Suppressed, row)
	default:
		if n := len(p.Rows); n > 0 && p.Rows[n-1].Number == row.Row {
			return
		}
		if p.Bad++; len(p.Rows) < maxFaultyShown {
			p.Rows = append(p.Rows, d.faultyRow(row, p.Lang))
		}
	}
}

// faultyRow returns an invalid row with its cells to be corrected, and its first fault as a sentence.
func (d *campaignDraft) faultyRow(row campaign.SkippedRow, l locale.Language) campaigns.FaultyRow {
	faulty, source := campaigns.FaultyRow{Number: row.Row, Fault: explainSkipped(row, d.plan, l)}, d.source[row.Index]
	_, field, _ := strings.Cut(strings.TrimPrefix(row.Field, "calls."), ".")
	variable, isVariable := strings.CutPrefix(field, "variables.")
	for j, name := range d.fields {
		if name == "" || name == metadataField {
			continue
		}
		faulty.Cells = append(faulty.Cells, campaigns.FaultyCell{
			Name:  "fix." + strconv.Itoa(source) + "." + strconv.Itoa(j),
			Value: d.table.Rows[source][j], Bad: name == field || name == variable && isVariable,
		})
	}
	return faulty
}
