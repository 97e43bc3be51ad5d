package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/dialling"
	"munadi/store/org"
	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

const (
	suppressionsPath = Root + "/rules/suppressions"
	suppressionPage  = 50  // entries of a page
	suppressionBatch = 200 // entries that the store gives at once
)

// listSuppressions shows a part of the list, or all entries whose number holds what is searched for.
func (s *Service) listSuppressions(c echo.Context) error {
	return s.suppressionsPage(c, http.StatusOK, page.Suppressions{})
}

// suppressionsPage fills in the frame and the list.
func (s *Service) suppressionsPage(c echo.Context, status int, p page.Suppressions) error {
	ctx, v := c.Request().Context(), visiting(c)
	p.ConsolePage = s.frame(c, shell.Rules, text.SuppressionsIn(v.Lang).Title)
	p.Path = suppressionsPath
	p.Styles = append(p.Styles, "css/console-flows.css")
	p.May = v.User.Role.May(org.Operator)
	rules, err := s.Store.Rules(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	p.Zone, _ = time.LoadLocation(rules.TimeZone) // nil is UTC
	p.Search = western(c.QueryParam("number"))
	found, err := s.suppressed(ctx, v.Org.ID, p.Search, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	for _, e := range found.Items {
		p.Entries = append(p.Entries, page.Suppressed{
			Number: e.PhoneNumber, Reason: e.Reason, Source: e.Source, Added: e.CreatedAt, Until: e.Until,
			Expired: !e.Active(s.Now()),
		})
	}
	if found.Next != "" {
		p.Next = suppressionsPath + "?cursor=" + url.QueryEscape(found.Next)
	}
	if c.QueryParam("cursor") != "" {
		p.First = suppressionsPath
	}
	return show(c, status, page.SuppressionsPage(p))
}

// suppressed is a part of the list, or the first entries with these digits.
func (s *Service) suppressed(
	ctx context.Context, orgID, search, cursor string,
) (store.Page[dialling.Suppression], error) {
	if search == "" {
		return s.Store.Suppressions(ctx, orgID, suppressionPage, cursor)
	}
	var found store.Page[dialling.Suppression]
	digits := strings.Map(digitsOnly, search)
	err := s.eachSuppression(ctx, orgID, func(e dialling.Suppression) bool {
		if digits != "" && strings.Contains(e.PhoneNumber, digits) {
			found.Items = append(found.Items, e)
		}
		return len(found.Items) < suppressionBatch
	})
	return found, err
}

func digitsOnly(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}

// eachSuppression goes through the list until yield says no.
func (s *Service) eachSuppression(ctx context.Context, orgID string, yield func(dialling.Suppression) bool) error {
	for cursor := ""; ; {
		part, err := s.Store.Suppressions(ctx, orgID, suppressionBatch, cursor)
		if err != nil {
			return err
		}
		for _, e := range part.Items {
			if !yield(e) {
				return nil
			}
		}
		if cursor = part.Next; cursor == "" {
			return nil
		}
	}
}
