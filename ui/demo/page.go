// Package demo holds the demo page, the front door of the STT service: its view and its template.
package demo

import (
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// DemoView is the demo page at /.
type DemoView struct {
	Lang    locale.Language
	Theme   layout.ColorTheme
	Assets  string // prefix of every asset, e.g. /assets/1f0c2d3e4a5b
	Version string
	// NoConsole leaves out the links to the console and to [TalkPath].
	NoConsole bool
	Base      string // base URL of the service in the code examples: scheme and host
	Model     component.ModelCard
	// MaxBytes is the largest upload that the service accepts; the page refuses larger ones before sending. 0: no check
	// in the page.
	MaxBytes int64
	Exposed  bool // the page is served unencrypted
}

func (d DemoView) pageFrame() layout.PageFrame {
	return layout.PageFrame{
		Lang: d.Lang, Theme: d.Theme, Title: locale.DemoTitle.In(d.Lang), Description: locale.DemoDescription.In(d.Lang),
		Path: "/", Assets: d.Assets, Version: d.Version, Exposed: d.Exposed, NoConsole: d.NoConsole,
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
