package people

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
)

// exportPerson sends all that is stored of a person as a ZIP archive, while it is read.
func (s handlers) exportPerson(c echo.Context) error {
	number, err := requestPerson(c)
	if err != nil {
		return err
	}
	begin := func() {
		h := c.Response().Header()
		h.Set(echo.HeaderContentType, "application/zip")
		h.Set(echo.HeaderContentDisposition, `attachment; filename="person-`+strings.TrimPrefix(number, "+")+`.zip"`)
		h.Set(echo.HeaderCacheControl, "no-store")
		c.Response().WriteHeader(http.StatusOK)
	}
	err = s.UseCases.ExportPerson(c.Request().Context(), kit.RequestCaller(c), number, begin, c.Response())
	if store.CodeOf(err) == store.CodeNotFound {
		return kit.NewNotFoundError("no such person")
	}
	return err
}
