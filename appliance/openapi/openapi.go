// Package openapi serves the API documentation: /openapi.json (OpenAPI 3.1) for programs, and /docs, the same
// document as a page for people.
//
// The document is maintained by hand as YAML, one file for each API and one for their common parts, joined and
// converted to JSON once; tests of the API packages compare it with their routes, form tags and responses. The page is
// generated from the document: plain HTML and one stylesheet, without scripts or other origins, so that it works
// offline and under the strictest content security policy.
package openapi

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/realip"
)

//go:embed docs.css
var style []byte

// DocumentJSON returns a copy of the OpenAPI document as JSON. The error names the file and line of a fault in the
// YAML.
func DocumentJSON() ([]byte, error) {
	joined, err := loadDocument()
	if err != nil {
		return nil, err
	}
	return encodeDocument(joined, "")
}

// MountDocs adds /openapi.json, /docs and /docs/style.css to e, without authentication. Paths that begin with leaveOut
// are not described; empty: all are.
func MountDocs(e *echo.Echo, leaveOut string) error {
	joined, err := loadDocument()
	if err != nil {
		return err
	}
	document, err := encodeDocument(joined, leaveOut)
	if err != nil {
		return err
	}
	e.GET("/openapi.json", serveBlob("application/json", document))
	e.GET("/docs", servePage(document))
	e.GET("/docs/style.css", serveBlob("text/css; charset=utf-8", style))
	return nil
}

// servePage serves the document as a page. It is rendered at the first request, since few ask for it.
func servePage(document []byte) echo.HandlerFunc {
	render := func(exposed bool) func() ([]byte, error) {
		return sync.OnceValues(func() ([]byte, error) {
			var doc Document
			if err := json.Unmarshal(document, &doc); err != nil {
				return nil, fmt.Errorf("read the API document: %w", err)
			}
			return renderPage(&doc, exposed)
		})
	}
	plain, warning := render(false), render(true)
	return func(c echo.Context) error {
		page := plain
		if realip.IsExposed(c.Request()) {
			page = warning
		}
		html, err := page()
		if err != nil {
			return err
		}
		return serveBlob("text/html; charset=utf-8", html)(c)
	}
}

func serveBlob(kind string, data []byte) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; "+
			"object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		return c.Blob(http.StatusOK, kind, data)
	}
}
