package campaigns

import (
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/ui/campaigns"
	"munadi/ui/locale"
)

// changeCampaign pauses, resumes or cancels a campaign.
func (s handlers) changeCampaign(action store.CampaignAction) echo.HandlerFunc {
	return func(c echo.Context) error {
		found, err := s.requestCampaign(c)
		if err != nil {
			return err
		}
		v := kit.RequestVisitor(c)
		_, err = s.UseCases.ChangeCampaign(c.Request().Context(), kit.RequestCaller(c), found.ID, action)
		return s.redirectCampaign(c, found.ID, err, map[store.CampaignAction]locale.Text{
			store.PauseCampaign: campaigns.Paused, store.ResumeCampaign: campaigns.Resumed,
			store.CancelCampaign: campaigns.Cancelled,
		}[action].In(v.Lang))
	}
}

// redirectCampaign redirects to the campaign with the result, or with the message that its status does not allow the
// change.
func (s handlers) redirectCampaign(c echo.Context, id string, err error, done string) error {
	if store.CodeOf(err) == store.CodeConflict {
		v := kit.RequestVisitor(c)
		found, err := s.Store.FindCampaign(c.Request().Context(), v.Org.ID, id)
		if err != nil {
			return err
		}
		kit.FlashProblem(
			c,
			strings.ReplaceAll(campaigns.Refused.In(v.Lang), "{status}", campaigns.Statuses.Word(v.Lang, string(found.Status))),
		)
		return kit.RedirectTo(c, campaigns.CampaignsPath+"/"+id)
	}
	return kit.RedirectAfter(c, err, campaigns.CampaignsPath+"/"+id, done)
}

// askCancelCampaign asks for Confirmation before a campaign is cancelled.
func (s handlers) askCancelCampaign(c echo.Context) error {
	found, err := s.requestCampaign(c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	return s.askCampaign(
		c, found, "cancel", campaigns.CancelTitle.In(l), campaigns.CancelLead.In(l), campaigns.CancelDo.In(l),
	)
}

// askRetryUnreached asks for Confirmation before the unreached people are called again.
func (s handlers) askRetryUnreached(c echo.Context) error {
	found, err := s.requestCampaign(c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	lead := locale.FillSentence(campaigns.RetryLead.In(l), "count", kit.PeopleTally(found).Unreached)
	return s.askCampaign(c, found, "retry", campaigns.RetryTitle.In(l), lead, campaigns.RetryDo.In(l))
}

// retryUnreached books calls to the unreached people again.
func (s handlers) retryUnreached(c echo.Context) error {
	found, err := s.requestCampaign(c)
	if err != nil {
		return err
	}
	v := kit.RequestVisitor(c)
	_, err = s.UseCases.RetryUnreached(c.Request().Context(), kit.RequestCaller(c), found.ID)
	return s.redirectCampaign(c, found.ID, err, campaigns.Retried.In(v.Lang))
}
