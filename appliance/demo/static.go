package demo

import (
	"bytes"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/ui/asset"
)

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
