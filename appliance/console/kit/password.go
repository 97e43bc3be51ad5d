package kit

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/httpserver/preferences"
	"munadi/ui/accounts"
)

// ConfirmPath is the path of the page where a user authenticates again.
const ConfirmPath = "/account/confirm"

// Confirmation returns how the visitor confirms what the page at a path below the console asks for.
func (s *Console) Confirmation(c echo.Context, path string) accounts.Confirmation {
	v := RequestVisitor(c)
	how := accounts.Confirmation{
		User: v.User.Name, Confirmed: s.Accounts.IsConfirmed(v.Session),
		HasPassword: s.Accounts.HasPassword(v.User) && v.User.SecondFactor == nil,
	}
	if v.User.External != nil || v.User.SecondFactor != nil {
		how.Elsewhere = Root + ConfirmPath + "?next=" + url.QueryEscape(path)
	}
	return how
}

// DescribeUnconfirmed returns the status and sentence for an error of [auth.AccountService.ConfirmAct]; empty for
// any other.
func (s *Console) DescribeUnconfirmed(c echo.Context, err error) (status int, fault string) {
	l := RequestVisitor(c).Lang
	var locked *auth.LockedError
	switch {
	case errors.Is(err, auth.ErrDirectoryAway):
		return http.StatusServiceUnavailable, accounts.DirectoryAway.In(l)
	case errors.Is(err, auth.ErrWrong):
		return http.StatusUnprocessableEntity, accounts.WrongCurrent.In(l)
	case errors.As(err, &locked):
		return http.StatusTooManyRequests, s.DescribeLockout(c, locked)
	case errors.Is(err, auth.ErrBusy):
		return http.StatusServiceUnavailable, accounts.SignInBusy.In(l)
	}
	return 0, ""
}

// DescribeLockout returns how long a lockout lasts, and sets Retry-After.
func (s *Console) DescribeLockout(c echo.Context, locked *auth.LockedError) string {
	wait := max(locked.Until.Sub(s.Now()), time.Second)
	c.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	return accounts.SignInLocked.In(preferences.PreferredLanguage(c)).Fill(int(math.Ceil(wait.Minutes())))
}
