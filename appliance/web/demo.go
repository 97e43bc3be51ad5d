package web

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/choice"
	"munadi/appliance/peer"
	"munadi/ui/asset"
	"munadi/ui/page"
)

type demoPage struct {
	deps   Deps
	assets string
}

// show answers GET /.
func (d demoPage) show(c echo.Context) error {
	model := page.Demo{
		Lang:     choice.Language(c),
		Theme:    choice.Theme(c),
		Assets:   d.assets,
		Version:  d.deps.Version,
		Base:     d.base(c),
		Model:    d.deps.Model,
		MaxBytes: d.deps.MaxBytes,
		Exposed:  peer.Exposed(c.Request()),
	}
	var html bytes.Buffer
	if err := page.DemoPage(model).Render(c.Request().Context(), &html); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Language", string(model.Lang))
	h.Set("Cache-Control", "private, no-cache")
	h.Add("Vary", "Cookie")
	return send(c, asset.File{Type: echo.MIMETextHTMLCharsetUTF8, Body: html.Bytes()}, asset.Compress)
}

func (d demoPage) base(c echo.Context) string {
	if d.deps.PublicURL != "" {
		return strings.TrimRight(d.deps.PublicURL, "/")
	}
	return c.Scheme() + "://" + c.Request().Host
}

// send writes a file, compressed where the client takes it; pack makes the compressed form when the file has none.
func send(c echo.Context, f asset.File, pack func([]byte) ([]byte, error)) error {
	c.Response().Header().Add("Vary", "Accept-Encoding")
	if !acceptsGzip(c.Request()) {
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

// acceptsGzip reads Accept-Encoding; "gzip;q=0" is a refusal.
func acceptsGzip(r *http.Request) bool {
	for _, offer := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, _ := strings.Cut(strings.TrimSpace(offer), ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			zero := strings.Trim(strings.ReplaceAll(strings.ToLower(weight), " ", ""), "0.")
			return zero != "q="
		}
	}
	return false
}
