package campaigns

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/contactfile"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/campaigns"
	"munadi/ui/locale"
)

// metadataField is the field of a column that is stored as metadata of the calls.
const metadataField = "keep:"

// maxMetadataName is the longest name of metadata, in characters.
const maxMetadataName = 64

// campaignDraft is a campaign being prepared: the rows of its file, and the column mapping.
type campaignDraft struct {
	id     string
	file   string
	table  contactfile.ContactTable
	region string
	plan   scenario.Scenario
	gone   bool      // the scenario of the form was deleted; plan is another one
	fields []string  // by column: empty, phone_number, a variable's name, or metadataField
	today  time.Time // the day of the first calls, in the organization's time zone
	styles []columnStyle
	choice rowChoice
	source []int                 // by row of the campaign: the row of the table, set by contactRows
	totals []campaign.SkippedRow // totals among the rows of the table, set by contactRows
	// doubts are the doubtful values of the rows, by index, which contactRows sets; confirmed are those that a person
	// confirmed.
	doubts    map[int][]booking.UnsureValue
	confirmed map[string]bool
}

// uploadedTables reads the uploaded file or the pasted rows; the sentence is their fault, if any, or with tables that
// of another sheet.
func uploadedTables(c echo.Context, l locale.Language) ([]contactfile.ContactTable, string, error) {
	data, fault, err := readUpload(c, l)
	if err != nil || fault != "" {
		return nil, fault, err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), fileReadTimeout)
	defer cancel()
	tables, err := contactfile.ReadTables(ctx, data)
	return tables, describeFileError(err, l), nil
}

// readUpload returns the uploaded file, or the rows that were pasted instead; the sentence is for none and for both.
func readUpload(c echo.Context, l locale.Language) ([]byte, string, error) {
	pasted := c.FormValue("pasted")
	isPasted := strings.TrimSpace(pasted) != ""
	header, err := c.FormFile("file")
	switch {
	case err != nil && isPasted:
		return []byte(pasted), "", nil
	case err != nil:
		return nil, campaigns.NewNoFile.In(l), nil
	case isPasted:
		return nil, campaigns.NewBoth.In(l), nil
	}
	file, err := header.Open()
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, contactfile.MaxFile+1))
	return data, "", err
}

// describeFileError returns the sentence for an unreadable file; empty without an error.
func describeFileError(err error, l locale.Language) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, contactfile.ErrEmpty):
		return campaigns.NewEmpty.In(l)
	case errors.Is(err, contactfile.ErrTooMany):
		return campaigns.NewTooMany.In(l)
	case errors.Is(err, contactfile.ErrTooWide):
		return campaigns.NewTooWide.In(l)
	case errors.Is(err, contactfile.ErrOldFormat):
		return campaigns.NewOldFormat.In(l)
	case errors.Is(err, contactfile.ErrOddXML):
		return campaigns.NewOddXML.In(l)
	case errors.Is(err, contactfile.ErrNoTable):
		return campaigns.NewNoTable.In(l)
	}
	return campaigns.NewTooLarge.In(l) // also for a file that takes too long
}

// uploadName returns the name of the uploaded file without extension, as a default name of the campaign.
func uploadName(c echo.Context) string {
	if header, err := c.FormFile("file"); err == nil {
		name := filepath.Base(strings.ReplaceAll(header.Filename, `\`, "/"))
		return kit.CleanText(strings.TrimSuffix(name, filepath.Ext(name)))
	}
	return kit.CleanText(c.FormValue("name_of_file"))
}

// parseCampaignDraft reads a draft from the fields of a form, with the cells that were corrected on the page.
func (s handlers) parseCampaignDraft(c echo.Context, scenarios []scenario.Scenario) (campaignDraft, error) {
	tables, err := contactfile.UnpackTables(c.FormValue("table"))
	if err != nil {
		return campaignDraft{}, kit.RefuseForm("the form is out of date; load the page again")
	}
	d := campaignDraft{id: c.FormValue("id"), file: uploadName(c), table: tables[0], choice: readRowChoice(c)}
	if !campaign.ValidID(d.id) {
		return campaignDraft{}, kit.RefuseForm("the form is out of date; load the page again")
	}
	s.setRegionAndScenario(c, &d, scenarios)
	form := kit.SentForm(c)
	d.fields = make([]string, len(d.table.Header))
	for i := range d.fields {
		d.fields[i] = d.validField(form.Get("col." + strconv.Itoa(i)))
	}
	for name, values := range form {
		d.correctCell(name, values[0])
	}
	d.today, d.confirmed = s.firstDay(c), booking.ReadConfirmed(c)
	d.readStyles(c)
	return d, nil
}

// firstDay returns when a campaign's first calls are made: the start that the form sets, else now.
func (s handlers) firstDay(c echo.Context) time.Time {
	zone := s.OrganizationZone(c)
	now := s.Now().In(zone)
	if at, ok := kit.ParseFormTime(typedSettings(c).At, zone); ok && at.After(now) {
		return at.In(zone)
	}
	return now
}

// setRegionAndScenario sets the country and the scenario of the form, or their defaults.
func (s handlers) setRegionAndScenario(c echo.Context, d *campaignDraft, scenarios []scenario.Scenario) {
	d.region = s.draftRegion(c)
	id := c.FormValue("scenario")
	d.plan = kit.FindScenarioOrFirst(scenarios, id)
	d.gone = id != "" && d.plan.ID != id
}

// validField returns a field to which a column can be mapped; empty for any other.
func (d *campaignDraft) validField(name string) string {
	isNamed := func(f contactfile.ContactField) bool { return f.Name == name }
	if name == metadataField || slices.ContainsFunc(d.contactFields(), isNamed) {
		return name
	}
	return ""
}

// correctCell applies a form field fix.ROW.COLUMN.
func (d *campaignDraft) correctCell(name, value string) {
	place, is := strings.CutPrefix(name, "fix.")
	if !is {
		return
	}
	row, column, _ := strings.Cut(place, ".")
	i, err := strconv.Atoi(row)
	j, err2 := strconv.Atoi(column)
	if cmp.Or(err, err2) == nil && i >= 0 && i < len(d.table.Rows) && j >= 0 && j < len(d.table.Header) {
		d.table.Rows[i][j] = kit.CleanText(value)
	}
}

// contactFields returns the fields to which a column can be mapped: the telephone number and the scenario's variables.
func (d *campaignDraft) contactFields() []contactfile.ContactField {
	fields := []contactfile.ContactField{{Name: contactfile.PhoneField, Kind: contactfile.PhoneValue}}
	for _, v := range d.plan.Variables {
		fields = append(fields, contactfile.ContactField{
			Name: v.Name, Labels: []string{v.Label.Arabic, v.Label.English}, Kind: contactfile.ValueKind(d.plan.SpokenType(v)),
		})
	}
	return fields
}

// matchFields maps the columns: like the last file with these headers, otherwise by a guess. remembered is true in the
// first case. What another scenario left out may be a value of this one: it is guessed.
func (d *campaignDraft) matchFields(memory campaign.ImportMemory) (remembered bool) {
	guessed := contactfile.MatchColumns(d.table, d.contactFields(), d.readingRules(len(d.styles), nil))
	known, found := memory.FindMapping(d.table.Header, d.plan.ID)
	if !found || len(known.Fields) != len(d.table.Header) {
		d.fields = guessed
		return false
	}
	d.fields = make([]string, len(known.Fields))
	for i, field := range known.Fields {
		d.fields[i] = d.validField(field)
	}
	if !slices.Contains(d.fields, contactfile.PhoneField) {
		d.fields = guessed
		return false
	}
	for i, field := range guessed {
		if known.ScenarioID != d.plan.ID && d.fields[i] == "" && !slices.Contains(d.fields, field) {
			d.fields[i] = field
		}
	}
	return true
}

// truncateHeader truncates a header to the longest name of metadata.
func truncateHeader(header string) string {
	if letters := []rune(header); len(letters) > maxMetadataName {
		return string(letters[:maxMetadataName])
	}
	return header
}

// draftView returns the draft for the hidden fields of a page.
func (d *campaignDraft) draftView() (campaigns.CampaignDraft, error) {
	packed, err := contactfile.PackTables(d.table)
	return campaigns.CampaignDraft{
		ID: d.id, Table: packed, File: d.file, Region: d.region, Scenario: d.plan.ID, Fields: d.fields,
	}, err
}

// newCampaignID returns the id of the campaign that a form will create, so that a form that is submitted twice creates
// one.
func newCampaignID() string { return campaign.Prefix + uuid.NewString() }
