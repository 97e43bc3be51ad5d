package kit

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// StaleFormError is the refusal of an outdated form; reloading the page helps.
type StaleFormError struct{ reason string }

func (s StaleFormError) Error() string { return s.reason }

// RefuseForm returns the 403 error of an outdated or cross-site form (CSRF).
func RefuseForm(reason string) error {
	return echo.NewHTTPError(http.StatusForbidden, reason).SetInternal(StaleFormError{reason})
}

// NewFormError returns the 400 of a request that is not a form.
func NewFormError(err error) error {
	return echo.NewHTTPError(http.StatusBadRequest, "the request is not a form").SetInternal(err)
}
