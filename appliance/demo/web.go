// Package demo is the door to the pages that need no sign-in: the demo page at /, its assets and the favicon.
//
// It translates a request into a view model and a view model into an answer; what the page looks like is ui's affair
// and what the service can do is appliance/stt's. Choices that the contract leaves open:
//   - Language is the query's, then the cookie's, then Arabic. Accept-Language is not asked: the page is Arabic first,
//     and one click away from English.
//   - ?lang= and ?theme= answer with the page itself and remember the choice in a cookie, so both switches work without
//     scripts and a link to /?lang=en shows English to whoever follows it.
//   - Answers are compressed here (assets once, at start), so no gzip middleware may stand before these routes.
package demo

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/ui/asset"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// Dependencies is what the pages need to know about the appliance.
type Dependencies struct {
	// Version is shown in the footer.
	Version string
	// Model is the honest label. Languages without lines get those of the built-in model.
	Model component.ModelCard
	// PublicURL is where programs reach the service, for the examples; "" takes the request's own scheme and host.
	PublicURL string
	// MaxBytes is the largest upload, so that the page can refuse a larger one before sending it; 0 leaves that to the
	// service.
	MaxBytes int64
}

// MountDemo adds GET and HEAD of /, /assets/* and /favicon.ico.
func MountDemo(e *echo.Echo, d Dependencies) error {
	assets, err := asset.LoadAssets()
	if err != nil {
		return err
	}
	d.Model = withDefaults(d.Model)
	demo := demoPage{deps: d, assets: assets.BasePath()}
	files := staticFiles{assets}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		e.Add(method, "/", demo.showPage, SetSecurityHeaders)
		e.Add(method, asset.Root+"*", files.serveAsset, SetSecurityHeaders)
		e.Add(method, "/favicon.ico", files.serveFavicon, SetSecurityHeaders)
	}
	return nil
}

func withDefaults(m component.ModelCard) component.ModelCard {
	label := map[locale.Language][]string{}
	for _, l := range locale.AllLanguages() {
		label[l] = m.Label[l]
		if len(label[l]) == 0 {
			label[l] = locale.DefaultLabel(l)
		}
	}
	return component.ModelCard{Name: m.Name, Label: label}
}
