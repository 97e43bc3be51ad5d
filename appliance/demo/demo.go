package demo

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver"
	"munadi/appliance/httpserver/preferences"
	"munadi/appliance/httpserver/realip"
	"munadi/ui/asset"
	"munadi/ui/demo"
)

type demoPage struct {
	deps   Dependencies
	assets string
}

// showPage handles GET /.
func (d demoPage) showPage(c echo.Context) error { return d.renderPage(c, demo.DemoPage) }

// showTalk handles GET /talk.
func (d demoPage) showTalk(c echo.Context) error { return d.renderPage(c, demo.TalkPage) }

func (d demoPage) renderPage(c echo.Context, page func(demo.DemoView) templ.Component) error {
	model := demo.DemoView{
		Lang:    preferences.PreferredLanguage(c),
		Theme:   preferences.PreferredTheme(c),
		Assets:  d.assets,
		Version: d.deps.Version, NoConsole: d.deps.NoConsole,
		Base:     d.publicBase(c),
		Model:    d.deps.Model,
		MaxBytes: d.deps.MaxBytes,
		Exposed:  realip.IsExposed(c.Request()),
	}
	var html bytes.Buffer
	if err := page(model).Render(c.Request().Context(), &html); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Language", string(model.Lang))
	h.Set("Cache-Control", "private, no-cache")
	h.Add("Vary", "Cookie")
	return sendCompressed(c, asset.AssetFile{Type: echo.MIMETextHTMLCharsetUTF8, Body: html.Bytes()}, asset.CompressGzip)
}

func (d demoPage) publicBase(c echo.Context) string {
	if d.deps.PublicURL != "" {
		return strings.TrimRight(d.deps.PublicURL, "/")
	}
	return c.Scheme() + "://" + c.Request().Host
}

// sendCompressed sends a file, with gzip if the client accepts it; pack compresses a file that has no compressed form.
func sendCompressed(c echo.Context, f asset.AssetFile, pack func([]byte) ([]byte, error)) error {
	c.Response().Header().Add("Vary", "Accept-Encoding")
	if !httpserver.AcceptsGzip(c.Request().Header.Get(echo.HeaderAcceptEncoding)) {
		return c.Blob(http.StatusOK, f.Type, f.Body)
	}
	packed := f.Gzip
	if packed == nil && pack != nil {
		var err error
		if packed, err = pack(f.Body); err != nil {
			return err
		}
	}
	if packed == nil {
		return c.Blob(http.StatusOK, f.Type, f.Body)
	}
	c.Response().Header().Set("Content-Encoding", "gzip")
	return c.Blob(http.StatusOK, f.Type, packed)
}
