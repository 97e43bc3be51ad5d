// Package storybook shows every part and page with fixture data, in both languages: the golden set that a change of
// markup is seen in, and the place to look at a part alone.
//
// It uses example values and no store, engine or request, like everything in ui.
package storybook

import (
	"slices"

	"github.com/a-h/templ"

	"munadi/ui/component"
	"munadi/ui/demo"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// Exhibit is one component or page in the gallery.
type Exhibit struct {
	Name string // file name of its golden HTML, without the ending
	Show templ.Component
}

// AllExhibits lists everything, in the given language.
func AllExhibits(l locale.Language) []Exhibit {
	return slices.Concat(componentsOf(l), componentExhibits(l), pagesOf(l), consolePages(l), accountPages(l), suppressionPages(l), destinationPages(l), callPages(l), campaignPages(l),
		newCampaignPages(l), modelExhibits(l), scenarioPages(l))
}

func componentsOf(l locale.Language) []Exhibit {
	samples := []component.SampleClip{{Caption: "نعم أؤكد الموعد", URL: "/assets/0/samples/confirm.flac", Seconds: 2}}
	return []Exhibit{
		{"part-recorder", component.Recorder(l)},
		{"part-upload", component.Upload(l)},
		{"part-samples", component.Samples(l, samples)},
		{"part-key", component.Key(l)},
		{"part-options", component.Options(l)},
		{"part-notice", component.Notice(l)},
		{"part-transcript", component.Transcript(l)},
		{"part-player", component.Player(l)},
		{"part-compare", component.Compare(l)},
		{"part-label", component.Label(l, ModelFixture())},
		{"part-code", component.Code(l, "https://stt.example.org")},
		{"part-noscript", component.NoScript(l, "https://stt.example.org")},
	}
}

func pagesOf(l locale.Language) []Exhibit {
	var out []Exhibit
	for _, theme := range []layout.ColorTheme{layout.Auto, layout.Dark} {
		out = append(out, Exhibit{"page-demo-" + string(theme), demo.DemoPage(DemoFixture(l, theme))})
	}
	return append(out, Exhibit{"page-talk", demo.TalkPage(DemoFixture(l, layout.Auto))})
}

// DemoFixture returns the demo page's fixture.
func DemoFixture(l locale.Language, theme layout.ColorTheme) demo.DemoView {
	return demo.DemoView{
		Lang: l, Theme: theme, Assets: "/assets/0", Version: "1.2.3", Base: "https://stt.example.org",
		Model: ModelFixture(), MaxBytes: 100 << 20,
	}
}

// ModelFixture returns a model's fixture; its label holds what markup must not swallow.
func ModelFixture() component.ModelCard {
	return component.ModelCard{Name: "svc-stt", Label: map[locale.Language][]string{
		locale.Arabic:  {"تدرّب على كلام اصطناعي.", "لا يصلح للإملاء <الحر> & ما شابهه."},
		locale.English: {"Trained on synthetic speech.", "Not for <open> dictation & the like."},
	}}
}
