package campaigns

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/contactfile"
	"munadi/appliance/csvcell"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/campaigns"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// downloadCampaignWorkbook sends a campaign's results as a workbook: the calls, people first, in local time; rows that
// were not booked on a second sheet.
func (s handlers) downloadCampaignWorkbook(c echo.Context) error {
	found, err := s.requestCampaign(c)
	if err != nil {
		return err
	}
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	scenarios, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	columns, err := s.UseCases.ListResultColumns(ctx, found.OrgID, found.ID)
	if err != nil {
		return err
	}
	plan, _ := kit.FindScenario(scenarios, found.ScenarioID)
	called := kit.ScenarioLabels{Scenarios: scenarios, Lang: v.Lang}.ResultNames(found.ScenarioID)
	t := resultTable{columns: columns, order: resultOrder(plan, columns), zone: s.OrganizationZone(c)}
	sheets := []contactfile.WorkbookSheet{{
		Name: campaigns.SheetCalls.In(v.Lang), Columns: t.reorder(called.ResultHeader(columns)),
		Rows: func(row func([]any) error) error {
			err := s.UseCases.VisitResults(ctx, found.OrgID, found.ID, columns, called, func(cells []string) error {
				return row(t.typedCells(cells))
			})
			if err == nil && (found.SkippedLost || !store.DamageReportOf(ctx).IsEmpty()) {
				err = row([]any{csvcell.IncompleteMark})
			}
			return err
		},
	}}
	if len(found.Skipped) > 0 {
		rows := skippedRows(found, scenarios, v.Lang)
		name, table := campaigns.SheetSkipped.In(v.Lang), campaigns.SkippedTable(rows)
		sheets = append(sheets, tableSheet(name, table, rows, v.Lang, t.zone))
	}
	return kit.SendWorkbook(c, found.ID+".xlsx", resultsName(found, t.zone)+".xlsx", sheets...)
}

// resultsName is the name of files with the results of a campaign: its own, and the day on which it was made.
func resultsName(found campaign.Campaign, zone *time.Location) string {
	return found.Name + " " + found.CreatedAt.In(zone).Format(time.DateOnly)
}

// tableSheet returns a declared table as a sheet, its moments by the organization's clock.
func tableSheet[R any](
	name string, table list.Table[R], rows []R, l locale.Language, zone *time.Location,
) contactfile.WorkbookSheet {
	return contactfile.WorkbookSheet{
		Name: name, Columns: table.Titles(l),
		Rows: func(write func([]any) error) error {
			for _, row := range rows {
				cells := table.Values(row)
				for i, cell := range cells {
					if at, is := cell.(time.Time); is {
						cells[i] = at.In(zone)
					}
				}
				if err := write(cells); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// resultTable lays out results for people: order are the indexes of columns, in the order of the sheet.
type resultTable struct {
	columns []string
	order   []int
	zone    *time.Location
}

// resultOrder puts the person first: name and number, how it ended, the answers, the other variables and metadata,
// times and ids last.
func resultOrder(plan scenario.Scenario, columns []string) []int {
	rank := func(key string) int {
		name, isVariable := strings.CutPrefix(key, service.VariableColumn)
		isName := func(v scenario.ScenarioVariable) bool { return v.Name == name && v.Role == scenario.NameRole }
		switch {
		case isVariable && slices.ContainsFunc(plan.Variables, isName):
			return 0
		case key == "phone_number":
			return 1
		case key == "status" || key == "failure_reason":
			return 2
		case strings.HasPrefix(key, service.AnswerColumn):
			return 3
		case isVariable || strings.HasPrefix(key, service.MetadataColumn):
			return 4
		case key == "call_id":
			return 6
		}
		return 5
	}
	order := make([]int, len(columns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(columns[a]) - rank(columns[b]) })
	return order
}

// reorder returns cells in the sheet's order.
func (t resultTable) reorder(cells []string) []string {
	out := make([]string, len(t.order))
	for i, from := range t.order {
		out[i] = cells[from]
	}
	return out
}

// typedCells returns a call's cells in the sheet's order: times by the organization's clock, durations and attempts as
// numbers, all others as texts.
func (t resultTable) typedCells(cells []string) []any {
	out := make([]any, len(t.order))
	for i, from := range t.order {
		out[i] = cells[from]
		switch t.columns[from] {
		case "scheduled_at", "started_at", "ended_at":
			if at, err := time.Parse(time.RFC3339, cells[from]); err == nil {
				out[i] = at.In(t.zone)
			}
		case "total_duration", "attempt_number":
			if n, err := strconv.Atoi(cells[from]); err == nil {
				out[i] = n
			}
		}
	}
	return out
}

// sheetField is the form field of the chosen sheet: its index in the packed tables.
const sheetField = "sheet"

// chooseSheet returns the table of the uploaded file, or the sheet that the form chose of it. done is true where a page
// was sent instead: of a file that cannot be read, or with the sheets to choose from.
func (s handlers) chooseSheet(c echo.Context) (table contactfile.ContactTable, done bool, err error) {
	v := kit.RequestVisitor(c)
	if chosen := c.FormValue(sheetField); chosen != "" {
		tables, err := contactfile.UnpackTables(c.FormValue("table"))
		at, err2 := strconv.Atoi(chosen)
		if err != nil || err2 != nil || at < 0 || at >= len(tables) {
			return table, false, kit.RefuseForm("the form is out of date; load the page again")
		}
		return tables[at], false, nil
	}
	tables, fault, err := uploadedTables(c, v.Lang)
	switch {
	case err != nil:
		return table, false, err
	case len(tables) == 0:
		return table, true, s.uploadPage(c, http.StatusUnprocessableEntity, fault)
	case len(tables) == 1 && fault == "":
		return tables[0], false, nil
	}
	return table, true, s.sheetsPage(c, tables, fault)
}

// sheetsPage asks for the sheet of a workbook; fault says why another one is not offered.
func (s handlers) sheetsPage(c echo.Context, tables []contactfile.ContactTable, fault string) error {
	packed, err := contactfile.PackTables(tables...)
	if err != nil {
		return err
	}
	p := campaigns.SheetChoice{
		ConsolePage: s.campaignFrame(c, campaigns.SheetTitle.In(kit.RequestVisitor(c).Lang)), Fault: fault,
		Draft: campaigns.CampaignDraft{
			Table: packed, File: uploadName(c), Region: c.FormValue("region"), Scenario: c.FormValue("scenario"),
		},
	}
	for _, t := range tables {
		p.Sheets = append(p.Sheets, campaigns.SheetRows{Name: t.Sheet, Rows: len(t.Rows)})
	}
	p.Path = campaigns.CampaignsPath + "/new"
	return kit.RenderPage(c, http.StatusOK, campaigns.SheetPage(p))
}
