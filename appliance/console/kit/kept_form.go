package kit

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/quota"
	"munadi/ui/form"
	"munadi/ui/layout"
)

const (
	maxKeptForm   = 4 << 20  // size limit in bytes of a form that is kept for somebody without a session
	smallKeptForm = 64 << 10 // bytes up to which it is kept in any case
	maxLargeForms = 8        // larger ones in memory at once: anybody can send them
)

// largeForms are the large forms of people without a session.
var largeForms = quota.NewSemaphore(maxLargeForms, maxLargeForms)

// UnsentError is the refusal of a form that nothing is wrong with but its session: its page keeps what was typed.
type UnsentError struct{ Form layout.UnsentForm }

func (UnsentError) Error() string { return "the form was not sent with the session's token" }

// refuseSignedOut returns the 401 of a form without a session, with what was typed in it.
func refuseSignedOut(c echo.Context) error {
	refused := echo.NewHTTPError(http.StatusUnauthorized, "sign in first")
	if c.Get(UploadKey) != nil {
		return refused
	}
	r := c.Request()
	if r.ContentLength < 0 || r.ContentLength > smallKeptForm {
		if !largeForms.TryAcquire("") {
			return refused
		}
		defer largeForms.ReleaseSlot("")
	}
	r.Body = http.MaxBytesReader(c.Response(), r.Body, maxKeptForm)
	if _, err := c.FormParams(); err != nil {
		return refused
	}
	return refused.SetInternal(keepForm(c, "sign in first"))
}

// refuseOtherSession returns the 403 of a form that was opened in another session or organization.
func refuseOtherSession(c echo.Context) error {
	const reason = "the form is out of date; load the page again"
	if c.Get(UploadKey) != nil {
		return RefuseForm(reason)
	}
	return echo.NewHTTPError(http.StatusForbidden, reason).SetInternal(keepForm(c, reason))
}

// keepForm returns an [UnsentError] with what was typed, without passwords and files; a [StaleFormError] if that is
// nothing.
func keepForm(c echo.Context, reason string) error {
	sent := SentForm(c)
	kept := layout.UnsentForm{
		Address: c.Request().URL.RequestURI(),
		Parts:   strings.HasPrefix(c.Request().Header.Get(echo.HeaderContentType), echo.MIMEMultipartForm),
	}
	typed := false
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		switch isEmpty := strings.Join(sent[name], "") == ""; {
		case name == "csrf":
		case !form.IsSecret(name):
			kept.Fields = append(kept.Fields, layout.UnsentField{Name: name, Values: sent[name]})
			typed = typed || !isEmpty && name != form.UserNameField
		case !isEmpty:
			kept.Secrets = append(kept.Secrets, name)
		}
	}
	if parts := c.Request().MultipartForm; parts != nil {
		kept.HadFile = slices.ContainsFunc(slices.Collect(maps.Keys(parts.File)), func(name string) bool {
			return parts.File[name][0].Size > 0
		})
	}
	if !typed {
		return StaleFormError{reason}
	}
	return UnsentError{kept}
}

// UnsentForm returns the form that err refused for its session only.
func UnsentForm(err error) (layout.UnsentForm, bool) {
	unsent, is := errors.AsType[UnsentError](err)
	return unsent.Form, is
}

// formToken returns the token of the visitor's forms, which are for the organization that is viewed.
func (s *Console) formToken(v Visitor) string {
	return s.Gate.CSRFToken(v.Session) + "@" + url.QueryEscape(v.Org.ID)
}
