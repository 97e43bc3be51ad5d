package campaigns

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/contactfile"
	"munadi/appliance/service"
	"munadi/store/phonenumber"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/campaigns"
	"munadi/ui/form"
	"munadi/ui/locale"
	uiscenarios "munadi/ui/scenarios"
)

// fileReadTimeout bounds the reading of an uploaded file.
const fileReadTimeout = 30 * time.Second

// maxSamplesShown is the number of sample values of a column.
const maxSamplesShown = 3

// newCampaign asks for the file of a campaign; with people=calls it starts from the people of a filtered list.
func (s handlers) newCampaign(c echo.Context) error {
	if c.QueryParam("people") == "calls" {
		return s.newCampaignFromCalls(c)
	}
	return s.uploadPage(c, http.StatusOK, "")
}

// uploadPage shows the first step.
func (s handlers) uploadPage(c echo.Context, status int, fault string) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	scenarios, err := s.ListBookableFor(ctx, v)
	if err != nil {
		return err
	}
	memory, err := s.Store.FindImportMemory(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	p := campaigns.CampaignUpload{
		ConsolePage: s.campaignFrame(c, campaigns.NewTitle.In(v.Lang)), Fault: fault, KnownRegion: memory.Region != "",
	}
	asked := c.FormValue("scenario") // of the link that led here, or of the form that is refused
	chosen := campaigns.FileChoice{
		Pasted:   c.FormValue("pasted"),
		Scenario: kit.FindScenarioOrFirst(scenarios, asked).ID, Scenarios: scenarioOptions(scenarios),
		Region: s.draftRegion(c), Regions: regionOptions(v.Lang),
	}
	if len(memory.Mappings) > 0 && asked == "" {
		chosen.Scenario = ""
		chosen.Scenarios = append([]form.Option{{Name: campaigns.ImportAsLast.In(v.Lang)}}, chosen.Scenarios...)
	}
	p.Fields = campaigns.BindFile(form.NewBinder(v.Lang, nil, nil), &chosen)
	p.Path = campaigns.CampaignsPath + "/new"
	p.Proposed = s.ProposedRules(c, p.ConsolePage)
	return kit.RenderPage(c, status, campaigns.CampaignUploadPage(p))
}

// regionOptions returns the countries by name.
func regionOptions(l locale.Language) (all []form.Option) {
	for _, code := range phonenumber.ListRegions() {
		name := fmt.Sprintf("%s (+%d)", locale.RegionName(l, code), phonenumber.CallingCode(code))
		all = append(all, form.Option{Value: code, Name: name})
	}
	slices.SortFunc(all, func(a, b form.Option) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// draftRegion returns the country that the form chose, else the organization's.
func (s handlers) draftRegion(c echo.Context) string {
	if code := c.FormValue("region"); phonenumber.IsRegion(code) {
		return code
	}
	return s.NumberRegion(c)
}

func scenarioOptions(all []scenario.Scenario) (options []form.Option) {
	for _, s := range all {
		options = append(options, form.Option{Value: s.ID, Name: s.Name})
	}
	return options
}

// chooseColumns shows the column mapping of an uploaded file, or of an existing draft.
func (s handlers) chooseColumns(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	scenarios, err := s.ListBookableFor(ctx, v)
	if err != nil {
		return err
	}
	memory, err := s.Store.FindImportMemory(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	if c.FormValue("table") != "" && c.FormValue(sheetField) == "" {
		d, err := s.parseCampaignDraft(c, scenarios)
		if err != nil {
			return err
		}
		remembered := c.FormValue("other") != "" && d.matchFields(memory) // another scenario has other variables
		return s.columnsPage(c, http.StatusOK, d, remembered, "")
	}
	table, done, err := s.chooseSheet(c)
	if done || err != nil {
		return err
	}
	d := campaignDraft{id: newCampaignID(), file: uploadName(c), table: table, today: s.firstDay(c)}
	s.setRegionAndScenario(c, &d, scenarios)
	if last, known := memory.FindMapping(table.Header, ""); known && c.FormValue("scenario") == "" {
		if plan, exists := kit.FindScenario(scenarios, last.ScenarioID); exists {
			d.plan = plan
		}
	}
	return s.columnsPage(c, http.StatusOK, d, d.matchFields(memory), "")
}

// columnsPage shows the second step.
func (s handlers) columnsPage(c echo.Context, status int, d campaignDraft, remembered bool, fault string) error {
	v := kit.RequestVisitor(c)
	scenarios, err := s.ListBookableFor(c.Request().Context(), v)
	if err != nil {
		return err
	}
	p := campaigns.CampaignColumns{
		ConsolePage: s.campaignFrame(c, campaigns.NewColumnsTitle.In(v.Lang)), Fault: fault, Rows: len(d.table.Rows),
		Remembered: remembered,
	}
	b := form.NewBinder(v.Lang, nil, nil)
	file := campaigns.BindFile(b, &campaigns.FileChoice{
		Scenario: d.plan.ID, Scenarios: scenarioOptions(scenarios), Region: d.region, Regions: regionOptions(v.Lang),
	})
	p.Scenario, p.Region = file.Scenario, file.Region
	p.Path = campaigns.CampaignsPath + "/new"
	if p.Draft, err = d.draftView(); err != nil {
		return err
	}
	for i, header := range d.table.Header {
		p.Columns = append(p.Columns, campaigns.ColumnChoice{
			Header: header, Samples: columnSamples(d.table, i),
			Field: campaigns.BindColumn(b, "col."+strconv.Itoa(i), &d.fields[i], fieldOptions(d.plan, v.Lang)),
		})
	}
	return kit.RenderPage(c, status, campaigns.CampaignColumnsPage(p))
}

// columnSamples returns the first distinct values of a column.
func columnSamples(t contactfile.ContactTable, column int) []string {
	var found []string
	for _, row := range t.Rows {
		if value := row[column]; value != "" && !slices.Contains(found, value) {
			found = append(found, value)
		}
		if len(found) == maxSamplesShown {
			break
		}
	}
	return found
}

// fieldOptions returns the fields to which a column can be mapped.
func fieldOptions(plan scenario.Scenario, l locale.Language) []form.Option {
	options := []form.Option{
		{Name: campaigns.NewIgnore.In(l)}, {Value: contactfile.PhoneField, Name: campaigns.NewPhone.In(l)},
	}
	for _, v := range plan.Variables {
		options = append(options, form.Option{Value: v.Name, Name: uiscenarios.LabelText(l, v.Label, v.Name)})
	}
	return append(options, form.Option{Value: metadataField, Name: campaigns.NewKeep.In(l)})
}

// newCampaignFromCalls starts a draft with the people of a filtered list of calls.
func (s handlers) newCampaignFromCalls(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return err
	}
	filter := kit.CallsFilter(c)
	if len(kit.FindFilterFaults(c)) > 0 {
		return kit.RedirectToFaults(c, calls.CallsPath)
	}
	if filter.Said != "" {
		return kit.RefuseTextSearch(c, filter)
	}
	plan := kit.FindScenarioOrFirst(k.Scenarios, filter.Scenario)
	people, more, err := s.UseCases.ListPeople(ctx, v.Org.ID, kit.StoreFilter(filter, k.Zone), plan)
	if err != nil {
		return err
	}
	switch {
	case more:
		return kit.RedirectProblem(c, kit.CallsURL(calls.CallsPath, filter, ""), campaigns.NewTooManyPeople.In(v.Lang))
	case len(people) == 0:
		return kit.RedirectProblem(c, kit.CallsURL(calls.CallsPath, filter, ""), campaigns.NewNoneLeft.In(v.Lang))
	}
	d := newPeopleDraft(people, plan, k.Region, v.Lang)
	d.today = k.Now.In(k.Zone)
	return s.campaignCheckPage(c, http.StatusOK, k, d, campaigns.CampaignSettings{}, nil)
}

// newPeopleDraft returns a draft whose table has the numbers and variables of people.
func newPeopleDraft(
	people []service.CampaignRow, plan scenario.Scenario, region string, l locale.Language,
) campaignDraft {
	d := campaignDraft{
		id: newCampaignID(), region: region, plan: plan, fields: []string{contactfile.PhoneField},
	}
	d.table.Header = templateColumns(plan, l)
	for _, variable := range plan.Variables {
		d.fields = append(d.fields, variable.Name)
	}
	d.styles = make([]columnStyle, len(d.fields))
	for i, one := range people {
		row := []string{one.PhoneNumber}
		for _, variable := range plan.Variables {
			text := ""
			if value := one.Variables[variable.Name]; value != nil {
				text = fmt.Sprint(value)
			}
			row = append(row, text)
		}
		d.table.Rows, d.table.Numbers = append(d.table.Rows, row), append(d.table.Numbers, i+1)
	}
	return d
}

// templateColumns returns the columns of a scenario's campaign file: the number and the variables.
func templateColumns(plan scenario.Scenario, l locale.Language) []string {
	columns := []string{campaigns.NewPhone.In(l)}
	for _, variable := range plan.Variables {
		columns = append(columns, uiscenarios.LabelText(l, variable.Label, variable.Name))
	}
	return columns
}

// downloadCampaignTemplate sends an empty CSV file with the columns of a scenario.
func (s handlers) downloadCampaignTemplate(c echo.Context) error {
	v := kit.RequestVisitor(c)
	scenarios, err := s.ListBookableFor(c.Request().Context(), v)
	if err != nil {
		return err
	}
	plan := kit.FindScenarioOrFirst(scenarios, c.QueryParam("scenario"))
	return kit.SendCSV(c, "campaign", templateColumns(plan, v.Lang), nil, func([]string) []string { return nil })
}
