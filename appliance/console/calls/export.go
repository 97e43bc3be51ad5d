package calls

import (
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/ui/calls"
	"munadi/ui/list"
)

// exportCalls exports the whole filtered list as CSV, whatever its length: it is read page by page while it is sent.
func (s handlers) exportCalls(c echo.Context) error { return s.sendCalls(c, kit.SendTableCSV) }

// exportWorkbook exports the whole filtered list as an Excel workbook.
func (s handlers) exportWorkbook(c echo.Context) error { return s.sendCalls(c, kit.SendTableWorkbook) }

// sendCalls sends the filtered list as a file: the columns of the page, those of the API, and one for each answer.
func (s handlers) sendCalls(c echo.Context, send func(echo.Context, kit.TableFile[calls.CallRow]) error) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return err
	}
	filter, labels := kit.CallsFilter(c), k.Labels()
	table := calls.DeclareTable(v.Lang, list.Sort{}, answerColumns(labels, filter.Scenario)...)
	var header []string
	for _, key := range table.ExportKeys() {
		header = append(header, labels.ColumnLabel(filter.Scenario, key))
	}
	return send(c, kit.TableFile[calls.CallRow]{
		Name: "calls-" + s.Now().In(k.Zone).Format(kit.DayLayout), Title: calls.Title.In(v.Lang),
		Table: table, Header: header, Zone: k.Zone,
		Read: func(cursor string) (store.ListPage[calls.CallRow], error) {
			found, err := s.findCalls(ctx, v.Org.ID, filter, k.Zone, cursor, kit.MaxStorePage)
			page := store.ListPage[calls.CallRow]{Next: found.Next}
			for _, one := range found.Items {
				page.Items = append(page.Items, kit.CallRow(one, labels))
			}
			return page, err
		},
	})
}

// answerColumns returns the columns of the answers to the questions of a scenario; of all for an empty id.
func answerColumns(labels kit.ScenarioLabels, scenarioID string) (columns []list.Column[calls.CallRow]) {
	var seen []string
	for _, plan := range labels.Scenarios {
		for _, property := range plan.ReportProperties() {
			if (scenarioID == "" || plan.ID == scenarioID) && !slices.Contains(seen, property) {
				seen = append(seen, property)
				columns = append(columns, calls.AnswerColumn(service.AnswerColumn+property, property))
			}
		}
	}
	return columns
}
