package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/ui/component"
	"munadi/ui/page"
)

// askQuestion shows a page that asks before something that cannot be undone.
func (s *Console) askQuestion(c echo.Context, q component.AskQuestion) error {
	p := page.ConfirmView{ConsolePage: s.consoleFrame(c, q.Title), Question: q}
	p.Question.CSRF = p.CSRF
	return renderPage(c, http.StatusOK, page.ConfirmPage(p))
}
