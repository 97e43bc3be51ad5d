package metrics

import (
	"crypto/sha256"
	"crypto/subtle"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/common/expfmt"
)

// MountMetrics adds the Prometheus endpoint /metrics to e, for loopback clients and, when token is not empty, for
// clients with this bearer token. A loopback client must use an IP address or localhost as Host: otherwise a page could
// read it through a browser on this machine by DNS rebinding.
func (m *Metrics) MountMetrics(e *echo.Echo, token string) {
	show := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	e.GET("/metrics", func(c echo.Context) error {
		r := c.Request()
		if (!fromLoopback(r) || !namesThisMachine(r.Host)) && !hasToken(r, token) {
			c.Response().Header().Set(echo.HeaderWWWAuthenticate, "Bearer")
			return c.JSON(http.StatusUnauthorized, map[string]string{
				"detail": "Not authenticated: request it from this machine as 127.0.0.1 or localhost, or send the metrics token",
			})
		}
		show.ServeHTTP(c.Response(), r)
		return nil
	})
}

func fromLoopback(r *http.Request) bool {
	for _, name := range []string{"X-Forwarded-For", "Forwarded", "X-Forwarded-Host", "X-Real-Ip", "Via"} {
		if r.Header.Get(name) != "" {
			return false // a proxy of this machine forwards it
		}
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	ip := net.ParseIP(host)
	return err == nil && ip != nil && ip.IsLoopback()
}

// namesThisMachine reports whether a Host header is an IP address or localhost, which DNS cannot redirect.
func namesThisMachine(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	return net.ParseIP(host) != nil || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// hasToken checks the bearer token by comparing hashes in constant time, which hides its length too.
func hasToken(r *http.Request, token string) bool {
	scheme, got, _ := strings.Cut(r.Header.Get(echo.HeaderAuthorization), " ")
	a, b := sha256.Sum256([]byte(strings.TrimSpace(got))), sha256.Sum256([]byte(token))
	return token != "" && strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// Write writes all metrics in the format of /metrics.
func (m *Metrics) Write(w io.Writer) error {
	families, err := m.registry.Gather()
	if err != nil {
		return err
	}
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(w, f); err != nil {
			return err
		}
	}
	return nil
}
