// Package page is whole pages, each a view model shaped like the page and the template that shows it.
//
// A page puts parts into the shell's frame; it knows neither where its values come from nor how it is sent.
package page

import (
	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// Demo is the page at /: the shop window.
type Demo struct {
	Lang    text.Lang
	Theme   shell.Theme
	Assets  string // prefix of every asset, e.g. /assets/1f0c2d3e4a5b
	Version string
	Base    string // where a program reaches the service, for the examples: scheme and host
	Model   part.Model
	// MaxBytes is the largest upload that the service takes; the page refuses a larger one before sending it. 0 leaves
	// that to the service.
	MaxBytes int64
	Exposed  bool // others can read what travels
}

func (d Demo) frame() shell.Page {
	w := text.DemoIn(d.Lang)
	return shell.Page{
		Lang: d.Lang, Theme: d.Theme, Title: w.Title, Description: w.Description,
		Path: "/", Assets: d.Assets, Version: d.Version, Exposed: d.Exposed,
		Styles: []string{"css/controls.css", "css/capture.css", "css/stage.css", "css/player.css", "css/about.css"},
		Module: "js/main.js",
	}
}

func (d Demo) samples() []part.Sample {
	var out []part.Sample
	for _, s := range text.Samples() {
		out = append(out, part.Sample{Caption: s.Caption, URL: d.Assets + "/" + s.File, Seconds: s.Seconds})
	}
	return out
}
