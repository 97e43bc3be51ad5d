package modelhub

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed known.json
var knownJSON []byte

// KnownModel is a model that is known to work, with figures that others have published.
type KnownModel struct {
	Name        string          `json:"name"`
	About       string          `json:"about"`
	AboutArabic string          `json:"about_ar"`
	Languages   []string        `json:"languages"`
	License     string          `json:"license"`
	Megabytes   int             `json:"megabytes"` // to download, roughly
	Rates       []PublishedRate `json:"rates"`
}

// PublishedRate is a word error rate that somebody published.
type PublishedRate struct {
	What   string  `json:"what"`
	WER    float64 `json:"wer_percent"`
	Source string  `json:"source"`
}

// ShortName is the name without its organization.
func (k KnownModel) ShortName() string { return k.Name[strings.IndexByte(k.Name, '/')+1:] }

// KnownModels lists the models that are known to work, Arabic ones first.
func KnownModels() []KnownModel {
	var models []KnownModel
	if err := json.Unmarshal(knownJSON, &models); err != nil { // our own bytes, see the test
		panic(err) //nolint:forbidigo // embedded: a test reads it
	}
	return models
}
