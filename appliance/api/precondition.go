package api

import (
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
)

// setETag sets the header ETag to the revision of the setting that the response shows.
func setETag(c echo.Context, setting any) {
	c.Response().Header().Set("ETag", `"`+service.HashSetting(setting)+`"`)
}

// ifMatch returns the request's precondition (header If-Match, RFC 9110 §13.1.1); nil without one. Weak entity tags
// never match.
func ifMatch[T any](c echo.Context) service.Precondition[T] {
	headers := c.Request().Header.Values("If-Match")
	if len(headers) == 0 {
		return nil
	}
	tags := strings.Split(strings.Join(headers, ","), ",")
	for i, tag := range tags {
		tags[i] = strings.TrimSpace(tag)
	}
	return func(kept T) bool {
		return slices.Contains(tags, "*") || slices.Contains(tags, `"`+service.HashSetting(kept)+`"`)
	}
}
