package kit

import (
	"errors"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
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

// ErrNoPasskeySite means that passkeys cannot be used at the address of the request: browsers want a domain name over
// HTTPS, or localhost, and the console wants the one of the public URL.
var ErrNoPasskeySite = errors.New("passkeys work at the public URL only, over HTTPS and by a domain name")

// PasskeySite returns the relying party of passkeys: the public URL, if the request came to its host, or localhost. The
// Host header names no other, since whoever leads a name of their own here (DNS rebinding) is not the console.
// [ErrNoPasskeySite].
func (s *Console) PasskeySite(c echo.Context) (auth.PasskeySite, error) {
	host := c.Request().Host
	if public, err := url.Parse(s.PublicURL()); err == nil && strings.EqualFold(public.Host, host) {
		return newPasskeySite(public)
	}
	own := &url.URL{Scheme: c.Scheme(), Host: host}
	if !isLocalhost(own.Hostname()) {
		return auth.PasskeySite{}, ErrNoPasskeySite
	}
	return newPasskeySite(own)
}

// PasskeyAddress returns the origin where passkeys can be used: that of the public URL; empty if it is none.
func (s *Console) PasskeyAddress() string {
	public, err := url.Parse(s.PublicURL())
	if err != nil {
		return ""
	}
	site, _ := newPasskeySite(public) // empty where passkeys cannot be used
	return site.Origin
}

func newPasskeySite(u *url.URL) (auth.PasskeySite, error) {
	name := strings.ToLower(u.Hostname())
	_, notAddress := netip.ParseAddr(name)
	isSafe := u.Scheme == "https" && notAddress != nil || isLocalhost(name)
	if !isSafe || name == "" {
		return auth.PasskeySite{}, ErrNoPasskeySite
	}
	return auth.PasskeySite{Host: name, Origin: u.Scheme + "://" + strings.ToLower(u.Host)}, nil
}

func isLocalhost(name string) bool { return strings.EqualFold(name, "localhost") }
