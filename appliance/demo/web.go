// Package demo serves the pages that need no sign-in: the demo page at /, its assets and the favicon.
//
// A handler maps a request to a view model; package ui renders it, and appliance/stt provides the service. Choices that
// the contract leaves open:
//   - The language is that of the query, then of the cookie, then Arabic. Accept-Language is ignored: the page is
//     Arabic first, and one click away from English.
//   - ?lang= and ?theme= answer with the page itself and save the choice in a cookie, so that both switches work
//     without scripts and /?lang=en can be shared as a link to the English page.
//   - Responses are compressed here (assets once, at the start), so these routes need no gzip middleware.
package demo

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/ui/asset"
	"munadi/ui/component"
	pages "munadi/ui/demo"
	"munadi/ui/locale"
)

// Dependencies are the appliance's data that the pages show.
type Dependencies struct {
	// Version is shown in the footer.
	Version string
	// Model describes the model: source, error rates, limits. Languages without a label get that of the built-in model.
	Model component.ModelCard
	// PublicURL is the base URL in the examples; empty: the request's scheme and host.
	PublicURL string
	// MaxBytes is the upload size limit, so that the page can refuse a larger file before it is sent; 0: no check.
	MaxBytes int64
	// NoConsole leaves out the link to the console and the page at /talk, for an appliance without the call platform.
	NoConsole bool
}

// MountDemo adds GET and HEAD of /, /talk, /assets/* and /favicon.ico.
func MountDemo(e *echo.Echo, d Dependencies) error {
	assets, err := asset.LoadAssets()
	if err != nil {
		return err
	}
	d.Model = withDefaultLabels(d.Model)
	demo := demoPage{deps: d, assets: assets.BasePath()}
	files := staticFiles{assets}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		e.Add(method, "/", demo.showPage, setSecurityHeaders)
		if !d.NoConsole {
			e.Add(method, pages.TalkPath, demo.showTalk, setSecurityHeaders)
		}
		e.Add(method, asset.Root+"*", files.serveAsset, setSecurityHeaders)
		e.Add(method, "/favicon.ico", files.serveFavicon, setSecurityHeaders)
	}
	return nil
}

func withDefaultLabels(m component.ModelCard) component.ModelCard {
	label := map[locale.Language][]string{}
	for _, l := range locale.AllLanguages() {
		label[l] = m.Label[l]
		if len(label[l]) == 0 {
			label[l] = locale.DefaultLabel(l)
		}
	}
	m.Label = label
	return m
}

// contentSecurityPolicy returns the Content-Security-Policy (CSP) of the demo page and its assets: no inline script or
// style, no foreign origin, no frame. Recordings are played from blob: URLs; the AudioWorklet's module is of the same
// origin.
func contentSecurityPolicy() string {
	return strings.Join([]string{
		"default-src 'self'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self'",
		"font-src 'self'",
		"connect-src 'self'",
		"media-src 'self' blob:",
		"worker-src 'self'",
		"object-src 'none'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	}, "; ")
}

// setSecurityHeaders sets the security headers of a page: CSP, nosniff, X-Frame-Options, Referrer-Policy,
// Permissions-Policy.
func setSecurityHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	csp := contentSecurityPolicy()
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", csp)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Permissions-Policy", "microphone=(self), camera=(), geolocation=(), payment=(), usb=()")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		return next(c)
	}
}

type staticFiles struct{ set *asset.AssetSet }

// serveAsset handles GET /assets/<hash>/<file>. The hash covers the content, so browsers may cache it forever
// (immutable).
func (s staticFiles) serveAsset(c echo.Context) error {
	f, ok := s.set.FindByPath(c.Param("*"))
	if !ok {
		return echo.ErrNotFound
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	return sendFile(c, f)
}

// serveFavicon handles GET /favicon.ico, for browsers that request it without having read the page.
func (s staticFiles) serveFavicon(c echo.Context) error {
	f, ok := s.set.FindByName("icons/favicon.svg")
	if !ok {
		return echo.ErrNotFound
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=86400")
	return sendFile(c, f)
}

// sendFile serves text compressed and everything else with Range support, which audio players need.
func sendFile(c echo.Context, f asset.AssetFile) error {
	if f.Gzip != nil {
		return sendCompressed(c, f, nil)
	}
	c.Response().Header().Set(echo.HeaderContentType, f.Type)
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, bytes.NewReader(f.Body))
	return nil
}
