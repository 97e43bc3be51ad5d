// Package cors lets pages of other origins call the APIs with a key (Cross-Origin Resource Sharing, Fetch standard), by
// echo's middleware, and holds the WebSocket to the same origins, which browsers do not.
//
// Credentials (cookies) are never allowed: the console, whose pages have them, is not among the APIs. A page of the
// listener's own origin needs no permission.
package cors

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// preflightAge is the Access-Control-Max-Age: how long a browser may cache a preflight's answer, in seconds.
const preflightAge = 600

// OriginPolicy says which origins may call which paths.
type OriginPolicy struct {
	// Allow reports whether pages of an origin may call the APIs. It is asked at each request, so a reloaded setting
	// counts at once.
	Allow func(origin string) bool
	// Roots are the APIs: each path and all below it.
	Roots []string
	// PublicURL returns the address at which browsers reach the listener; empty: the Host header's.
	PublicURL func() string
}

// Middleware answers preflight requests and adds the CORS headers that let a page read its answer. A request of an
// origin that is not allowed is answered as any other, without these headers: the key decides about access, and the
// browser keeps the answer from the page.
func (p OriginPolicy) Middleware() echo.MiddlewareFunc {
	return middleware.CORSWithConfig(middleware.CORSConfig{
		Skipper: func(c echo.Context) bool {
			return c.Request().Header.Get(echo.HeaderOrigin) == "" || !p.coversRequest(c)
		},
		AllowOriginFunc: func(origin string) (bool, error) { return p.Allow(origin), nil },
		AllowMethods: []string{
			http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		},
		// AllowHeaders is empty, which allows the headers that the preflight asks for: clients of OpenAI send a dozen
		// non-standard ones.
		ExposeHeaders: []string{
			echo.HeaderXRequestID, echo.HeaderRetryAfter, echo.HeaderLocation, echo.HeaderContentDisposition,
			"ETag", "Idempotency-Replayed", "X-Session-Mode", "OpenAI-Model",
		},
		MaxAge: preflightAge,
	})
}

// coversRequest reports whether a request is for one of the APIs, from an origin on which the answer depends.
func (p OriginPolicy) coversRequest(c echo.Context) bool {
	path := c.Request().URL.Path
	for _, root := range p.Roots {
		if rest, found := strings.CutPrefix(path, root); found && (rest == "" || rest[0] == '/') {
			return c.Request().Method != http.MethodOptions || p.Allow(c.Request().Header.Get(echo.HeaderOrigin))
		}
	}
	return false
}

// AllowSocket reports whether a WebSocket may be opened: by programs, which send no Origin, by pages of the
// listener's own origin, and by pages of the allowed origins.
func (p OriginPolicy) AllowSocket(r *http.Request) bool {
	origin := r.Header.Get(echo.HeaderOrigin)
	return origin == "" || p.ownPage(r, origin) || p.Allow(origin)
}

// AllowLocalPage is [OriginPolicy.AllowSocket] against DNS rebinding: a page is of the listener's own origin only under
// the public URL, an IP address or localhost, names that nobody else can point to it.
func (p OriginPolicy) AllowLocalPage(r *http.Request) bool {
	origin := r.Header.Get(echo.HeaderOrigin)
	from, err := url.Parse(origin)
	if err != nil || origin == "" || p.Allow(origin) {
		return err == nil
	}
	_, notAddress := netip.ParseAddr(from.Hostname())
	isFixed := notAddress == nil || strings.EqualFold(from.Hostname(), "localhost")
	return isFixed && p.ownPage(r, origin) || from.Host != "" && p.isPublic(from)
}

// ownPage reports whether a page comes from the listener itself; schemes are not compared, since a proxy may end TLS.
func (p OriginPolicy) ownPage(r *http.Request, origin string) bool {
	from, err := url.Parse(origin)
	if err != nil || from.Host == "" {
		return false
	}
	return strings.EqualFold(from.Host, r.Host) || p.isPublic(from)
}

// isPublic reports whether an origin has the host of the public URL.
func (p OriginPolicy) isPublic(origin *url.URL) bool {
	public, err := url.Parse(p.PublicURL())
	return err == nil && strings.EqualFold(origin.Host, public.Host)
}
