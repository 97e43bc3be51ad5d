package modelhub

import (
	_ "embed"
	"encoding/json"
	"fmt"
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
	Megabytes   int             `json:"megabytes"`   // to download, 10^6 bytes
	Approximate bool            `json:"approximate"` // the size was not read at the hub: models of the same shape have it
	Rates       []PublishedRate `json:"rates"`
}

// PublishedRate is a published word error rate.
type PublishedRate struct {
	What       string  `json:"what"` // the test set, and how it was counted
	WhatArabic string  `json:"what_ar"`
	WER        float64 `json:"wer_percent"`
	Source     string  `json:"source"`
}

// DownloadSize returns the size of the download, such as "460 MB" or, if approximate, "≈ 459 MB".
func (k KnownModel) DownloadSize() string {
	size := fmt.Sprintf("%d MB", k.Megabytes)
	if k.Megabytes >= 1000 {
		size = fmt.Sprintf("%.1f GB", float64(k.Megabytes)/1000)
	}
	if k.Approximate {
		return "≈ " + size
	}
	return size
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
