package kit

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/ui/component"
	"munadi/ui/layout"
)

// AskQuestion shows a page that asks before something that cannot be undone.
func (s *Console) AskQuestion(c echo.Context, q component.AskQuestion) error {
	return RenderPage(c, http.StatusOK, layout.ConfirmPage(s.ConsoleFrame(c, q.Title), q))
}
