package kit

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/ui/form"
)

// SentForm returns the fields of the request's form, which was parsed before its handler.
func SentForm(c echo.Context) url.Values {
	sent, _ := c.FormParams()
	return sent
}

// BindSent returns the binder of the request's form.
func BindSent(c echo.Context) *form.Binder {
	return form.NewBinder(RequestVisitor(c).Lang, SentForm(c), nil)
}

// FormViolations returns the violations of a use case for a form whose fields have their paths as names.
func FormViolations(found service.FieldViolations) []form.Violation {
	all := make([]form.Violation, len(found))
	for i, v := range found {
		all[i] = form.Violation{Path: v.Field, Message: v.Message}
	}
	return all
}

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
