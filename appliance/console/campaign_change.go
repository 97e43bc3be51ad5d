package console

import (
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// changeCampaign pauses, resumes or cancels a campaign.
func (s *ConsoleService) changeCampaign(action store.CampaignAction) echo.HandlerFunc {
	return func(c echo.Context) error {
		found, err := s.requestCampaign(c)
		if err != nil {
			return err
		}
		v := requestVisitor(c)
		w := locale.CampaignsIn(v.Lang)
		_, err = s.UseCases.ChangeCampaign(c.Request().Context(), requestCaller(c), found.ID, action)
		return s.redirectCampaign(c, found.ID, err, map[store.CampaignAction]string{
			store.PauseCampaign: w.Paused, store.ResumeCampaign: w.Resumed, store.CancelCampaign: w.Cancelled,
		}[action])
	}
}

// redirectCampaign redirects to the campaign with the result, or with the message that its status does not allow the
// change.
func (s *ConsoleService) redirectCampaign(c echo.Context, id string, err error, done string) error {
	if store.CodeOf(err) == store.CodeConflict {
		v := requestVisitor(c)
		found, err := s.Store.FindCampaign(c.Request().Context(), v.Org.ID, id)
		if err != nil {
			return err
		}
		w := locale.CampaignsIn(v.Lang)
		flashProblem(c, strings.ReplaceAll(w.Refused, "{status}", w.Statuses[string(found.Status)]))
		return redirectTo(c, page.CampaignsPath+"/"+id)
	}
	if err != nil {
		return err
	}
	flashMessage(c, done)
	return redirectTo(c, page.CampaignsPath+"/"+id)
}

// askCancelCampaign asks for confirmation before a campaign is cancelled.
func (s *ConsoleService) askCancelCampaign(c echo.Context) error {
	found, err := s.requestCampaign(c)
	if err != nil {
		return err
	}
	w := locale.CampaignsIn(requestVisitor(c).Lang)
	return s.askCampaign(c, found, "cancel", w.CancelTitle, w.CancelLead, w.CancelDo)
}

// askRetryUnreached asks for confirmation before the unreached people are called again.
func (s *ConsoleService) askRetryUnreached(c echo.Context) error {
	found, err := s.requestCampaign(c)
	if err != nil {
		return err
	}
	w := locale.CampaignsIn(requestVisitor(c).Lang)
	lead := fillCounts(w.RetryLead, "count", peopleTally(found).Unreached)
	return s.askCampaign(c, found, "retry", w.RetryTitle, lead, w.RetryDo)
}

// retryUnreached books calls to the unreached people again.
func (s *ConsoleService) retryUnreached(c echo.Context) error {
	found, err := s.requestCampaign(c)
	if err != nil {
		return err
	}
	v := requestVisitor(c)
	_, err = s.UseCases.RetryUnreached(c.Request().Context(), requestCaller(c), found.ID)
	return s.redirectCampaign(c, found.ID, err, locale.CampaignsIn(v.Lang).Retried)
}
