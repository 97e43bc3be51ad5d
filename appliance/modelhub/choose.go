package modelhub

import (
	"regexp"
	"slices"
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
