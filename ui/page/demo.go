// Package page is whole pages, each a view model shaped like the page and the template that shows it.
//
// A page puts parts into the shell's frame; it knows neither where its values come from nor how it is sent.
package page

import (
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// DemoView is the page at /: the shop window.
type DemoView struct {
	Lang    locale.Language
	Theme   layout.ColorTheme
	Assets  string // prefix of every asset, e.g. /assets/1f0c2d3e4a5b
	Version string
	Base    string // where a program reaches the service, for the examples: scheme and host
	Model   component.ModelCard
	// MaxBytes is the largest upload that the service takes; the page refuses a larger one before sending it. 0 leaves
	// that to the service.
	MaxBytes int64
	Exposed  bool // others can read what travels
}

func (d DemoView) pageFrame() layout.PageFrame {
	w := locale.DemoIn(d.Lang)
	return layout.PageFrame{
		Lang: d.Lang, Theme: d.Theme, Title: w.Title, Description: w.Description,
		Path: "/", Assets: d.Assets, Version: d.Version, Exposed: d.Exposed,
		Styles: []string{"css/controls.css", "css/capture.css", "css/stage.css", "css/player.css", "css/about.css"},
		Module: "js/main.js",
	}
}

func (d DemoView) sampleClips() []component.SampleClip {
	var out []component.SampleClip
	for _, s := range locale.AllSamples() {
		out = append(out, component.SampleClip{Caption: s.Caption, URL: d.Assets + "/" + s.File, Seconds: s.Seconds})
	}
	return out
}
