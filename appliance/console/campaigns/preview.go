package campaigns

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/appliance/tts"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/campaigns"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// The numbers of rows in the preview: first without being asked, then on each further page.
const (
	firstPreviewed = 3
	morePreviewed  = 10
)

// previewTimeout bounds the preview of a page's rows; the remaining ones say that they cannot be shown.
const previewTimeout = 30 * time.Second

// previewRows shows ready rows as their calls will speak: the first ones, those from the form's offset on, or those in
// which a text occurs.
func (s handlers) previewRows(
	c echo.Context, d campaignDraft, rows []service.CampaignRow, skipped []campaign.SkippedRow,
) campaigns.CampaignPreview {
	p := campaigns.CampaignPreview{Find: kit.CleanText(c.FormValue("find"))}
	if s.Rehearse == nil {
		return p
	}
	ready := d.readyRows(skipped, p.Find)
	p.Ready = len(ready)
	size := firstPreviewed
	if from, err := strconv.Atoi(c.FormValue("from")); err == nil && from > 0 && from < len(ready) {
		p.From, size = from, morePreviewed
	}
	p.Next = p.From + size
	if p.Back = p.From - morePreviewed; p.Back < firstPreviewed {
		p.Back = 0
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), previewTimeout)
	defer cancel()
	for _, i := range ready[p.From:min(p.Next, len(ready))] {
		p.Rows = append(p.Rows, s.previewRow(ctx, kit.RequestVisitor(c), d, rows[i]))
	}
	p.Shown = p.From + len(p.Rows)
	return p
}

// readyRows returns the indexes of the rows that will be called and contain a text, or have it as their number.
func (d *campaignDraft) readyRows(skipped []campaign.SkippedRow, text string) []int {
	left := map[int]bool{}
	for _, row := range skipped {
		left[row.Index] = true
	}
	var ready []int
	for i, source := range d.source {
		contains := func(cell string) bool { return strings.Contains(cell, text) }
		row := strconv.Itoa(d.table.Numbers[source])
		found := text == "" || row == kit.WesternDigits(text) || slices.ContainsFunc(d.table.Rows[source], contains)
		if !left[i] && found {
			ready = append(ready, i)
		}
	}
	return ready
}

// previewRow shows one row.
func (s handlers) previewRow(
	ctx context.Context, v kit.Visitor, d campaignDraft, row service.CampaignRow,
) campaigns.PreviewedRow {
	shown := campaigns.PreviewedRow{Number: row.Row, Phone: row.PhoneNumber}
	for _, one := range d.plan.Variables {
		if value, ok := row.Variables[one.Name].(string); ok && value != "" {
			shown.Values = append(shown.Values, campaigns.PreviewedValue{
				Label: scenarios.LabelText(v.Lang, one.Label, one.Name), Text: readableVariable(one, value, v.Lang),
			})
		}
	}
	out, err := s.RunTrial(ctx, kit.TrialRequest{OrgID: v.Org.ID, Scenario: d.plan, Variables: row.Variables})
	if err != nil {
		s.Log.Warn("the preview of a row failed", "err", err)
		shown.Failed = true
		return shown
	}
	query := url.Values{"scenario": {d.plan.ID}}
	for _, message := range out.Messages {
		_, err := s.Speaker.Speak(ctx, tts.SpeechRequest{OrgID: v.Org.ID, Text: message.Content, Voice: d.plan.Voice})
		line := campaigns.PreviewedLine{Text: message.Content, Silent: errors.Is(err, tts.ErrNoVoice)}
		if shown.Lines = append(shown.Lines, line); !line.Silent {
			query.Add("text", message.Content)
		}
	}
	shown.Sound = campaigns.CampaignsPath + "/hear?" + query.Encode()
	return shown
}

// readableVariable returns the value of a variable as people read it.
func readableVariable(v scenario.ScenarioVariable, value string, l locale.Language) string {
	if v.Type == scenario.DateVariable {
		return booking.ReadableValue(value, l)
	}
	return value
}

// maxHeard is the number of lines of one preview.
const maxHeard = 30

// serveCampaignSpeech serves the lines of a preview as callees hear them, one after another.
func (s handlers) serveCampaignSpeech(c echo.Context) error {
	v := kit.RequestVisitor(c)
	scenarios, err := s.ListScenariosFor(c.Request().Context(), v)
	if err != nil {
		return err
	}
	plan, known := kit.FindScenario(scenarios, c.QueryParam("scenario"))
	texts := c.QueryParams()["text"]
	tooLong := func(text string) bool { return text == "" || utf8.RuneCountInString(text) > scenario.MaxText }
	if !known || len(texts) == 0 || len(texts) > maxHeard || slices.ContainsFunc(texts, tooLong) {
		return kit.NewNotFoundError("no such lines")
	}
	return s.SendSpeech(c, plan.Voice, texts...)
}
