// Package gallery shows every part and page with fixture data, in both languages: the golden set that a change of
// markup is seen in, and the place to look at a part alone.
//
// It makes values up and knows no store, engine or request, like everything in ui.
package gallery

import (
	"slices"

	"github.com/a-h/templ"

	"munadi/ui/page"
	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// Exhibit is one part or page as it stands in the gallery.
type Exhibit struct {
	Name string // file name of its golden HTML, without the ending
	Show templ.Component
}

// Exhibits lists everything, in the given language.
func Exhibits(l text.Lang) []Exhibit {
	return slices.Concat(parts(l), kit(l), pages(l), consolePages(l), accountPages(l), callPages(l))
}

func parts(l text.Lang) []Exhibit {
	w := text.DemoIn(l)
	samples := []part.Sample{{Caption: "نعم أؤكد الموعد", URL: "/assets/0/samples/confirm.flac", Seconds: 2}}
	return []Exhibit{
		{"part-recorder", part.Recorder(w)},
		{"part-upload", part.Upload(w)},
		{"part-samples", part.Samples(w, samples)},
		{"part-key", part.Key(w)},
		{"part-options", part.Options(w)},
		{"part-notice", part.Notice(w)},
		{"part-transcript", part.Transcript(w)},
		{"part-player", part.Player(w)},
		{"part-compare", part.Compare(w)},
		{"part-label", part.Label(l, w, Model())},
		{"part-code", part.Code(w, "https://stt.example.org")},
		{"part-noscript", part.NoScript(w, "https://stt.example.org")},
	}
}

func pages(l text.Lang) []Exhibit {
	var out []Exhibit
	for _, theme := range []shell.Theme{shell.Auto, shell.Dark} {
		out = append(out, Exhibit{"page-demo-" + string(theme), page.DemoPage(Demo(l, theme))})
	}
	return out
}

// Demo is the demo page's fixture.
func Demo(l text.Lang, theme shell.Theme) page.Demo {
	return page.Demo{
		Lang: l, Theme: theme, Assets: "/assets/0", Version: "1.2.3", Base: "https://stt.example.org",
		Model: Model(), MaxBytes: 100 << 20,
	}
}

// Model is a model's fixture; its label holds what markup must not swallow.
func Model() part.Model {
	return part.Model{Name: "svc-stt", Label: map[text.Lang][]string{
		text.Arabic:  {"تدرّب على كلام اصطناعي.", "لا يصلح للإملاء <الحر> & ما شابهه."},
		text.English: {"Trained on synthetic speech.", "Not for <open> dictation & the like."},
	}}
}
