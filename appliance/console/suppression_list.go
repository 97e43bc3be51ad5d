package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/callrules"
	"munadi/ui/page"
	"munadi/ui/suppressions"
)

const (
	suppressionsPath    = kit.Root + "/rules/suppressions"
	suppressionPageSize = 50  // entries on a page
	maxSuppressedShown  = 200 // entries that a search shows
)

// listSuppressions shows a page of the suppression list, or the entries whose number contains the search digits.
func (s *ConsoleService) listSuppressions(c echo.Context) error {
	return s.suppressionsPage(c, http.StatusOK, page.SuppressionsView{})
}

func (s *ConsoleService) suppressionsPage(c echo.Context, status int, p page.SuppressionsView) error {
	ctx, v := c.Request().Context(), kit.RequestVisitor(c)
	p.ConsolePage = s.ConsoleFrame(c, suppressions.Title.In(v.Lang))
	p.Path = suppressionsPath
	p.Styles = append(p.Styles, "css/console-flows.css")
	p.May = v.User.Role.Allows(account.Operator)
	p.Zone = s.OrganizationZone(c)
	p.Search = kit.WesternDigits(c.QueryParam("number"))
	found, err := s.findSuppressions(ctx, v.Org.ID, p.Search, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	for _, e := range found.Items {
		p.Entries = append(p.Entries, page.SuppressedRow{
			Number: e.PhoneNumber, Reason: suppressions.ReasonText(v.Lang, e.Source, e.Reason), Source: e.Source,
			Added: e.CreatedAt, Until: e.Until,
			Expired: !e.IsActive(s.Now()),
		})
	}
	if found.Next != "" {
		p.Next = suppressionsPath + "?cursor=" + url.QueryEscape(found.Next)
	}
	if c.QueryParam("cursor") != "" {
		p.First = suppressionsPath
	}
	return kit.RenderPage(c, status, page.SuppressionsPage(p))
}

// findSuppressions returns a page of the list, or the first entries that match the search digits.
func (s *ConsoleService) findSuppressions(
	ctx context.Context, orgID, search, cursor string,
) (store.ListPage[callrules.SuppressionEntry], error) {
	if search == "" {
		return s.Store.ListSuppressions(ctx, orgID, suppressionPageSize, cursor)
	}
	var found store.ListPage[callrules.SuppressionEntry]
	digits := strings.Map(digitsOnly, search)
	err := s.UseCases.VisitSuppressions(ctx, orgID, func(e callrules.SuppressionEntry) bool {
		if digits != "" && strings.Contains(e.PhoneNumber, digits) {
			found.Items = append(found.Items, e)
		}
		return len(found.Items) < maxSuppressedShown
	})
	return found, err
}

func digitsOnly(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}
