package model

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"munadi/engine/tokenizer"
)

// traceHeads traces the heads of the encoder and returns the session's output names.
func (m *SpeechModel) traceHeads(
	f ModelFolder, l fileLayout, encoder *onnxGraph,
) (heads []linearHead, outputs []string, err error) {
	if l.ctc == l.encoder {
		m.hasCTC = true
		return nil, encoder.outputs[:1], nil
	}
	m.lengths = len(encoder.outputs) > 1
	if m.lengths {
		outputs = append(outputs, encoder.outputs[1])
	}
	if l.joint != "" {
		h, err := m.rnntHead(f, l)
		if err != nil {
			return nil, nil, err
		}
		heads, outputs = append(heads, h), append(outputs, outputJoint)
	}
	if l.ctc != "" {
		h, err := m.ctcHead(f, l.ctc, encoder)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", l.ctc, err)
		}
		heads, outputs = append(heads, h), append(outputs, outputCTC)
	}
	for i := range heads {
		heads[i].input = encoder.outputs[0]
	}
	return heads, outputs, nil
}

func (m *SpeechModel) rnntHead(f ModelFolder, l fileLayout) (linearHead, error) {
	prediction, err := f.openFile(l.prediction)
	if err != nil {
		return linearHead{}, err
	}
	defer prediction.close()
	pg, err := parseGraph(prediction.bytes)
	if err != nil {
		return linearHead{}, fmt.Errorf("%s: %w", l.prediction, err)
	}
	jg := pg
	if l.joint != l.prediction {
		joint, err := f.openFile(l.joint)
		if err != nil {
			return linearHead{}, err
		}
		defer joint.close()
		if jg, err = parseGraph(joint.bytes); err != nil {
			return linearHead{}, fmt.Errorf("%s: %w", l.joint, err)
		}
	}
	if m.predictor, err = tracePredictor(pg, jg); err != nil {
		return linearHead{}, fmt.Errorf("%s: %w", l.prediction, err)
	}
	if err := m.splitDurations(); err != nil {
		return linearHead{}, fmt.Errorf("%s: %w (%s)", l.joint, err, l.vocabulary)
	}
	return linearHead{linearLayer: m.predictor.enc, output: outputJoint}, nil
}

// splitDurations separates the joint's last outputs as durations (TDT), and checks the number of remaining labels.
func (m *SpeechModel) splitDurations() error {
	m.predictor.durations = m.Decoding.Durations
	m.predictor.labels -= len(m.Decoding.Durations)
	if want := len(m.Vocabulary) + 1; m.predictor.labels != want {
		return fmt.Errorf("the joint has %d labels and %d durations, the vocabulary has %d labels",
			m.predictor.labels, len(m.Decoding.Durations), want)
	}
	if have := len(m.predictor.table) / (4 * m.predictor.layers[0].hidden); have != m.predictor.labels {
		return fmt.Errorf("the embedding has %d labels, the joint %d", have, m.predictor.labels)
	}
	return nil
}

func (m *SpeechModel) ctcHead(f ModelFolder, name string, encoder *onnxGraph) (linearHead, error) {
	b, err := f.openFile(name)
	if err != nil {
		return linearHead{}, err
	}
	defer b.close()
	g, err := parseGraph(b.bytes)
	if err != nil {
		return linearHead{}, err
	}
	if !g.hasInput(tensorEncoderOutputs) && !sameEncoder(encoder, g) {
		return linearHead{}, errors.New("its encoder differs from the model's; both heads must share one encoder")
	}
	l, err := newTracer(g).ctcHead()
	if err != nil {
		return linearHead{}, err
	}
	if want := len(m.Vocabulary) + 1; l.out != want || len(l.b) != want {
		return linearHead{}, fmt.Errorf("the CTC head has %d labels, the vocabulary %d", l.out, want)
	}
	if m.predictor != nil && l.in != m.predictor.enc.in {
		return linearHead{}, fmt.Errorf("the CTC head takes %d values per frame, the joint %d: they are of different models",
			l.in, m.predictor.enc.in)
	}
	m.hasCTC = true
	return linearHead{linearLayer: l, output: outputCTC, logSoftmax: true}, nil
}

// sameEncoder searches every large weight of the encoder in a graph that should contain it. Exports name the same
// weights differently, so they are compared as a set, by size and both ends: comparing all bytes would load both files
// into memory.
func sameEncoder(encoder, whole *onnxGraph) bool {
	have := map[string]bool{}
	for _, t := range whole.tensors {
		have[t.fingerprintEnds()] = true
	}
	for _, t := range encoder.tensors {
		if len(t.raw) >= externalFrom && !have[t.fingerprintEnds()] {
			return false
		}
	}
	return true
}

// parseVocabulary reads vocab.txt or tokens.txt: a line "piece id" per piece, ids ascending from 0, the blank "<blk>"
// last. It returns the pieces without the blank.
func parseVocabulary(b []byte) ([]string, error) {
	var pieces []string
	sc := bufio.NewScanner(bytes.NewReader(b))
	for line := 1; sc.Scan(); line++ {
		text := strings.TrimRight(sc.Text(), "\r")
		if text == "" {
			continue
		}
		i := strings.LastIndexByte(text, ' ')
		if i < 0 {
			return nil, fmt.Errorf("vocabulary line %d: want \"piece id\", have %q", line, text)
		}
		id, err := strconv.Atoi(text[i+1:])
		if err != nil || id != len(pieces) {
			return nil, fmt.Errorf("vocabulary line %d: id is %q, want %d", line, text[i+1:], len(pieces))
		}
		pieces = append(pieces, text[:i])
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("vocabulary: %w", err)
	}
	n := len(pieces)
	if n < 2 || (pieces[n-1] != "<blk>" && pieces[n-1] != "<blank>") {
		return nil, fmt.Errorf("vocabulary: the last piece must be the blank \"<blk>\"")
	}
	return pieces[:n-1], nil
}

// sameVocabulary refuses a folder whose vocabulary differs from its tokenizer's, since texts would be decoded to wrong
// words. Pieces in angle brackets may be written differently.
func sameVocabulary(file string, pieces []string, t *tokenizer.Tokenizer) error {
	if t.VocabularySize() != len(pieces) {
		return fmt.Errorf(
			"%s has %d pieces, tokenizer.model %d: they are of different models", file, len(pieces), t.VocabularySize(),
		)
	}
	for id, p := range pieces {
		if q := t.PieceText(id); p != q && !strings.HasPrefix(p, "<") && !strings.HasPrefix(q, "<") {
			return fmt.Errorf("piece %d is %q in %s and %q in tokenizer.model: they are of different models", id, p, file, q)
		}
	}
	return nil
}
