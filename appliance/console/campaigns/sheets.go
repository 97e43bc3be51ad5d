package campaigns

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/contactfile"
	"munadi/ui/campaigns"
)

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
