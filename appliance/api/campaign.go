package api

import (
	"bytes"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/apimodel"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/campaign"
	"munadi/store/strictjson"
)

// MaxCampaignJSON bounds the body of a campaign, the largest of all, in bytes: 10,000 rows of 3 KiB.
const MaxCampaignJSON = 32 << 20

// mountCampaigns adds the routes of campaigns.
func (s *APIService) mountCampaigns(e *echo.Echo) {
	s.addReadRoute(e, "/campaigns", s.listCampaigns, pageParams...)
	s.addReadRoute(e, "/campaigns/:campaign_id", s.getCampaign)
	s.addReadRoute(e, "/campaigns/:campaign_id/results.csv", s.downloadCampaignResults)
	s.addWriteRoute(e, http.MethodPost, "/campaigns", s.createCampaign)
	s.addWriteRoute(e, http.MethodPost, "/campaigns/:campaign_id/pause", s.changeCampaign(store.PauseCampaign))
	s.addWriteRoute(e, http.MethodPost, "/campaigns/:campaign_id/resume", s.changeCampaign(store.ResumeCampaign))
	s.addWriteRoute(e, http.MethodPost, "/campaigns/:campaign_id/cancel", s.changeCampaign(store.CancelCampaign))
	s.addWriteRoute(e, http.MethodPost, "/campaigns/:campaign_id/retry", s.retryCampaign)
}

// campaignBody is the body of POST /campaigns without its rows.
type campaignBody struct {
	Name           string     `json:"name"`
	ScenarioID     string     `json:"scenario_id"`
	StartsAt       *time.Time `json:"starts_at"`
	EndsAt         *time.Time `json:"ends_at"`
	CallsPerMinute *int       `json:"calls_per_minute"`
	Lines          *int       `json:"lines"`
	Retry          *retryBody `json:"retry"`
	CallerNumber   string     `json:"caller_number"`
	Paused         bool       `json:"paused"`
	SkipInvalid    bool       `json:"skip_invalid"`
}

// campaignRowBody is one call of a campaign in the body.
type campaignRowBody struct {
	PhoneNumber string            `json:"phone_number"`
	Variables   map[string]any    `json:"variables"`
	Metadata    map[string]string `json:"metadata"`
}

// createCampaign books a campaign with all its calls.
func (s *APIService) createCampaign(c echo.Context) error {
	data, err := readBody(c, MaxCampaignJSON)
	if err != nil {
		return err
	}
	parsed, err := strictjson.ParseObject(data)
	if err != nil {
		return err
	}
	once, err := idempotencyKey(c, map[string]any{"campaign": parsed})
	if err != nil {
		return err
	}
	r := bindCampaign(parsed)
	r.Once = once
	made, repeated, err := s.UseCases.CreateCampaign(c.Request().Context(), requestCaller(c), r)
	if err != nil {
		return err
	}
	if repeated {
		c.Response().Header().Set(headerReplayed, "true")
	}
	s.setLocation(c, "/campaigns/"+made.ID)
	return writeSuccess(c, http.StatusCreated, apimodel.CampaignOf(made))
}

// bindCampaign parses a campaign. Violations of a row's form are kept with the row, since invalid rows may be skipped.
func bindCampaign(parsed map[string]any) service.CampaignRequest {
	rows, isList := parsed["calls"].([]any)
	delete(parsed, "calls")
	var b campaignBody
	found := strictjson.BindValue(parsed, &b)
	if !isList {
		found.AddViolation("calls", "must be a list of 1 to %d calls", campaign.MaxCalls)
	}
	r := service.CampaignRequest{
		Name:           b.Name,
		ScenarioID:     b.ScenarioID,
		StartsAt:       b.StartsAt,
		EndsAt:         b.EndsAt,
		CallsPerMinute: b.CallsPerMinute,
		Lines:          b.Lines,
		Retry:          b.Retry.requestedPlan(),
		CallerNumber:   b.CallerNumber,
		Paused:         b.Paused,
		SkipInvalid:    b.SkipInvalid,
		Violations:     found,
	}
	if len(rows) > campaign.MaxCalls {
		r.Violations.AddViolation("calls", "must have 1 to %d entries", campaign.MaxCalls)
		return r
	}
	for _, row := range rows {
		r.Rows = append(r.Rows, bindCampaignRow(row))
	}
	return r
}

// bindCampaignRow reads one row.
func bindCampaignRow(parsed any) service.CampaignRow {
	var b campaignRowBody
	found := strictjson.BindValue(parsed, &b)
	return service.CampaignRow{
		PhoneNumber: b.PhoneNumber, Variables: b.Variables, Metadata: b.Metadata, Violations: found,
	}
}

// listCampaigns answers a page of campaigns, newest first.
func (s *APIService) listCampaigns(c echo.Context) error {
	q := queryOf(c)
	page, err := s.Store.CampaignsPage(
		c.Request().Context(), requestPrincipal(c).OrgID, q.limitParam(), q.textParam("cursor"),
	)
	return answerList(c, q, page, err, apimodel.CampaignOf)
}

// getCampaign answers one campaign.
func (s *APIService) getCampaign(c echo.Context) error {
	found, err := s.Store.FindCampaign(c.Request().Context(), requestPrincipal(c).OrgID, c.Param("campaign_id"))
	return answerWith(c, http.StatusOK, found, err, apimodel.CampaignOf)
}

// changeCampaign returns the handler that pauses, resumes or cancels a campaign.
func (s *APIService) changeCampaign(action store.CampaignAction) echo.HandlerFunc {
	return func(c echo.Context) error {
		changed, err := s.UseCases.ChangeCampaign(c.Request().Context(), requestCaller(c), c.Param("campaign_id"), action)
		return answerWith(c, http.StatusOK, changed, err, apimodel.CampaignOf)
	}
}

// retryCampaign books calls to the people whom no call reached.
func (s *APIService) retryCampaign(c echo.Context) error {
	changed, err := s.UseCases.RetryUnreached(c.Request().Context(), requestCaller(c), c.Param("campaign_id"))
	return answerWith(c, http.StatusOK, changed, err, apimodel.CampaignOf)
}

// downloadCampaignResults answers all calls of a campaign as CSV. The file is complete before the response begins, so
// that a failure gets an error status.
func (s *APIService) downloadCampaignResults(c echo.Context) error {
	ctx, orgID, id := c.Request().Context(), requestPrincipal(c).OrgID, c.Param("campaign_id")
	if _, err := s.Store.FindCampaign(ctx, orgID, id); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := s.UseCases.WriteResults(ctx, &out, orgID, id, service.ResultNames{}); err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+id+`.csv"`)
	return c.Blob(http.StatusOK, "text/csv; charset=utf-8", out.Bytes())
}
