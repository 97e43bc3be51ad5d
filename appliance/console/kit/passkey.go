package kit

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
)

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
