package modelhub

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var nemoFile = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.nemo$`)

// chooseFiles selects the files of a repository to import: its .nemo file, or else an ONNX export in the layout of
// onnx-asr or sherpa-onnx. Several .nemo files are ambiguous, and none is selected.
func chooseFiles(names []string) []string {
	var checkpoints []string
	for _, name := range names {
		if nemoFile.MatchString(name) {
			checkpoints = append(checkpoints, name)
		}
	}
	if len(checkpoints) == 1 {
		return checkpoints
	}
	for _, layout := range [][]string{
		{"encoder-model", "decoder_joint-model", "model"},
		{"encoder", "decoder", "joiner", "ctc", "model"},
		{"model"},
	} {
		if files := exportFiles(names, layout); files != nil {
			return files
		}
	}
	return nil
}

// exportFiles returns the files of an ONNX export whose graphs have the given names; nil if the first one or the
// vocabulary is missing. Full precision is preferred to 8 bits.
func exportFiles(names, graphs []string) []string {
	has := func(name string) bool { return slices.Contains(names, name) }
	var files []string
	for i, graph := range graphs {
		found := ""
		for _, name := range []string{graph + ".onnx", graph + ".int8.onnx", graph + "_int8.onnx", graph + "-int8.onnx"} {
			if found == "" && has(name) {
				found = name
			}
		}
		if found == "" {
			if i == 0 {
				return nil
			}
			continue
		}
		files = append(files, found)
		if has(found + ".data") {
			files = append(files, found+".data")
		}
	}
	vocabulary := ""
	for _, name := range []string{"vocab.txt", "tokens.txt"} {
		if vocabulary == "" && has(name) {
			vocabulary = name
		}
	}
	if vocabulary == "" {
		return nil
	}
	files = append(files, vocabulary)
	for _, name := range []string{"config.json", "tokenizer.model", "munadi.json", "word-verifier.onnx"} {
		if has(name) {
			files = append(files, name)
		}
	}
	return files
}

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

// shortName is the name without its organization.
func (k KnownModel) shortName() string { return k.Name[strings.IndexByte(k.Name, '/')+1:] }

// KnownModels lists the models that are known to work, Arabic ones first.
func KnownModels() []KnownModel {
	var models []KnownModel
	if err := json.Unmarshal(knownJSON, &models); err != nil { // our own bytes, see the test
		panic(err) //nolint:forbidigo // embedded: a test reads it
	}
	return models
}
