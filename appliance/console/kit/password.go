package kit

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/httpserver/preferences"
	"munadi/ui/accounts"
)

// DescribeUnconfirmed returns the status and sentence for an error of [auth.AccountService.ConfirmPassword]; empty for
// any other.
func (s *Console) DescribeUnconfirmed(c echo.Context, err error) (status int, fault string) {
	l := RequestVisitor(c).Lang
	var locked *auth.LockedError
	switch {
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
