package console

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// staleFormError is the refusal of an outdated form; reloading the page helps.
type staleFormError struct{ reason string }

func (s staleFormError) Error() string { return s.reason }

// refuseForm returns the 403 error of an outdated or cross-site form (CSRF).
func refuseForm(reason string) error {
	return echo.NewHTTPError(http.StatusForbidden, reason).SetInternal(staleFormError{reason})
}

// newFormError returns the 400 of a request that is not a form.
func newFormError(err error) error {
	return echo.NewHTTPError(http.StatusBadRequest, "the request is not a form").SetInternal(err)
}
