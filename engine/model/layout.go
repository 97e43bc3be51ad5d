package model

import (
	"fmt"
	"io/fs"
	"strings"
)

// fileLayout names the files of a model folder; empty for a missing file.
type fileLayout struct {
	name       string // for display
	encoder    string
	prediction string // graph with the embedding and the LSTM
	joint      string // graph with the joint; the same file as prediction in onnx-asr's layout
	ctc        string // a graph that ends in the CTC head: the head alone, or with its own encoder
	vocabulary string
	int8       bool
}

// WeightPrecision selects fp32 or int8 files if a folder has both.
type WeightPrecision string

// FP32 is preferred by default.
const (
	FP32 WeightPrecision = "fp32"
	INT8 WeightPrecision = "int8"
)

// fileVariants returns the possible names of a file in the order of preference.
func fileVariants(base string, want WeightPrecision) []string {
	plain := base + ".onnx"
	quantized := []string{base + ".int8.onnx", base + "_int8.onnx", base + "-int8.onnx"}
	if want == INT8 {
		return append(quantized, plain)
	}
	return append([]string{plain}, quantized...)
}

// CheckLayout checks that the folder has the files of a model; the error names the missing ones.
func (f ModelFolder) CheckLayout() error {
	_, err := findLayout(f, "")
	return err
}

// findLayout recognizes a folder by its file names; the error names the missing files.
func findLayout(f ModelFolder, want WeightPrecision) (fileLayout, error) {
	pick := func(base string) string { return f.firstExisting(fileVariants(base, want)...) }
	l := fileLayout{vocabulary: f.firstExisting("vocab.txt", "tokens.txt")}
	l.ctc = f.firstExisting("ctc-head.onnx")
	if l.ctc == "" {
		l.ctc = f.firstExisting(append(fileVariants("model", want), fileVariants("ctc", want)...)...)
	}
	switch {
	case pick("encoder-model") != "":
		l.name, l.encoder = "onnx-asr", pick("encoder-model")
		l.prediction = pick("decoder_joint-model")
		l.joint = l.prediction
	case pick("encoder") != "":
		l.name, l.encoder = "sherpa-onnx", pick("encoder")
		l.prediction, l.joint = pick("decoder"), pick("joiner")
	case l.ctc != "" && l.ctc != "ctc-head.onnx":
		l.name, l.encoder = "CTC only", l.ctc
	}
	l.int8 = strings.Contains(l.encoder, "int8")
	return l, l.checkFiles(f)
}

func (l fileLayout) checkFiles(f ModelFolder) error {
	switch {
	case l.encoder == "":
		return fmt.Errorf("no model in the folder: it has %s; a model has encoder-model.onnx (onnx-asr), "+
			"encoder.onnx (sherpa-onnx) or model.onnx (CTC only)", f.listEntries())
	case l.vocabulary == "":
		return fmt.Errorf("the folder lacks vocab.txt (or tokens.txt): one line per piece, \"piece id\", the last \"<blk>\"")
	case l.ctc == "" && (l.prediction == "" || l.joint == ""):
		return fmt.Errorf("the folder has an encoder but no head: it needs decoder_joint-model.onnx " +
			"(or decoder.onnx and joiner.onnx), or a CTC graph model.onnx or ctc-head.onnx")
	case (l.prediction == "") != (l.joint == ""):
		return fmt.Errorf("decoder.onnx and joiner.onnx belong together; one of them is missing")
	}
	return nil
}

// listEntries lists at most eight of a folder's entries.
func (f ModelFolder) listEntries() string {
	entries, err := fs.ReadDir(f.fsys, ".")
	if err != nil || len(entries) == 0 {
		return "no files"
	}
	var names []string
	for _, e := range entries {
		if len(names) == 8 {
			names = append(names, "…")
			break
		}
		names = append(names, e.Name())
	}
	return strings.Join(names, ", ")
}

func (l fileLayout) fileNames() []string {
	var out []string
	for _, name := range []string{l.encoder, l.prediction, l.joint, l.ctc, l.vocabulary} {
		if name != "" && (len(out) == 0 || out[len(out)-1] != name) {
			out = append(out, name)
		}
	}
	return out
}
