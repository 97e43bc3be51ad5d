// Package component holds the templates (templ) of the page components: the record button, the key field, the
// transcript, the player, the model card.
//
// A component takes the strings and values that it shows and writes HTML. Ids and data attributes are its contract with
// the scripts of assets/web/js, which fill in components and create no markup of their own beyond the component's
// templates. A component that needs scripts starts hidden or has the class "needs-script".
package component

import (
	"fmt"
	"strings"

	"munadi/ui/locale"
)

// SampleClip is one example to try: its caption, which is Arabic in both languages, and where its sound lies.
type SampleClip struct {
	Caption string
	URL     string
	Seconds int
}

// ModelCard describes the serving model on the page.
type ModelCard struct {
	Name string
	// Label are sentences about the model's training data and limits, one a line, in every language.
	Label map[locale.Language][]string
	// Offer is the address for installing another model; empty: none is offered.
	Offer string
}

// FormatClock writes seconds as m:ss.
func FormatClock(seconds int) string { return fmt.Sprintf("%d:%02d", seconds/60, seconds%60) }

// CurlCommand returns a command that transcribes a file with the service at base.
func CurlCommand(base string) string {
	return "curl " + base + "/compat/v1/audio/transcriptions \\\n" +
		"  -H \"Authorization: Bearer $MUNADI_API_KEY\" \\\n" +
		"  -F file=@speech.wav"
}

// PythonSnippet returns the same with OpenAI's client.
func PythonSnippet(base string) string {
	return strings.Join([]string{
		"from openai import OpenAI",
		"client = OpenAI(base_url=\"" + base + "/compat/v1\", api_key=KEY)",
		"with open(\"speech.wav\", \"rb\") as sound:",
		"    print(client.audio.transcriptions.create(model=\"svc-stt\", file=sound).text)",
	}, "\n")
}
