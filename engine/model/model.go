package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"munadi/engine/decode"
	"munadi/engine/ort"
	"munadi/engine/tokenizer"
)

// Names in the exported graphs.
const (
	tensorAudio          = "audio_signal"    // [B, F, T] log-mel
	tensorLength         = "length"          // [B] valid frames
	tensorEncoderOutputs = "encoder_outputs" // the joint's and the CTC head's encoder input, [B, D, T']

	outputJoint = "munadi.joint" // [B, T', J]
	outputCTC   = "munadi.ctc"   // [B, T', V+1]
)

// ModelOptions are the options of OpenModel.
type ModelOptions struct {
	Threads   int             // CPU cores for the encoder
	Precision WeightPrecision // preferred precision if a folder has both; empty: fp32
	Tables    int64           // size limit of precomputed tables in bytes; 0: 16 MiB, negative: none
	Verbatim  bool            // run the encoder's graph unmodified: slower, for comparison
	Profile   string          // path prefix of a file with the time of every operator; empty: none
}

// SpeechModel is a loaded model: one session for the encoder with both heads, the prediction network in Go. Safe for
// concurrent use.
type SpeechModel struct {
	ModelConfig
	Vocabulary []string // pieces by id; the blank's id is their number
	Tokenizer  *tokenizer.Tokenizer
	Layout     string
	Int8       bool
	Wide       bool          // 8-bit weights that are inexact on x86 processors without VNNI
	Parameters int64         // of the encoder
	Bytes      int64         // of the files
	Mapped     bool          // the weights are memory-mapped: see MappedMark
	Runs       int           // best number of concurrent EncodeMel calls
	Parallel   int           // number of concurrent EncodeMel calls that take about as long as one alone
	Verifier   *WordVerifier // nil: the folder has none

	session   *ort.GraphSession
	trimmed   sync.Pool    // of *[]float32: features without padding
	dropper   *pageDropper // of mapped weights; nil: they are in memory
	predictor *predictionWeights
	hasCTC    bool
	lengths   bool // the graph outputs the number of valid frames
	rewritten bool // the graph takes valid frames only
	stepwise  bool // NeMo's export with caches: context and dropped frames are fixed
}

// EncodedSpeech is the encoder output of one utterance, T' valid frames.
type EncodedSpeech struct {
	Joint decode.EncoderFrames // [T', J], in the joint's space; empty without an RNNT head
	CTC   decode.LogProbs      // [T', V+1]; empty without a CTC head
	T     int
}

// OpenModel reads, validates and loads the folder's model. Its errors say what is wrong and what is expected.
func OpenModel(f ModelFolder, o ModelOptions) (*SpeechModel, error) {
	l, err := findLayout(f, o.Precision)
	if err != nil {
		return nil, err
	}
	m := &SpeechModel{Layout: l.name, Int8: l.int8}
	if err := m.readDescription(f, l); err != nil {
		return nil, err
	}
	enc, err := f.openFile(l.encoder)
	if err != nil {
		return nil, err
	}
	defer enc.close()
	m.Mapped = enc.path != "" && f.firstExisting(MappedMark) != ""
	err = m.startModel(f, l, enc, o)
	if err != nil && m.rewritten { // the graph was wrongly recognized
		o.Verbatim = true
		err = m.startModel(f, l, enc, o)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.encoder, err)
	}
	if m.Verifier, err = openVerifier(f, m.ModelConfig); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// startModel loads the model and runs it once.
func (m *SpeechModel) startModel(f ModelFolder, l fileLayout, enc fileBytes, o ModelOptions) error {
	if err := m.loadSession(f, l, enc, o); err != nil {
		return err
	}
	if err := m.tryModel(); err != nil {
		return errors.Join(err, m.Close())
	}
	return nil
}

// readDescription reads the vocabulary, the tokenizer and the file sizes.
func (m *SpeechModel) readDescription(f ModelFolder, l fileLayout) error {
	vocab, err := f.readSmallFile(l.vocabulary)
	if err != nil {
		return err
	}
	if m.Vocabulary, err = parseVocabulary(vocab); err != nil {
		return fmt.Errorf("%s: %w", l.vocabulary, err)
	}
	for _, name := range l.fileNames() {
		st, err := fs.Stat(f.fsys, name)
		if err != nil {
			return err
		}
		m.Bytes += st.Size()
	}
	if st, err := fs.Stat(f.fsys, l.encoder+dataSuffix); err == nil {
		m.Bytes += st.Size()
	}
	sp, err := f.readSmallFile("tokenizer.model")
	if err != nil {
		return err
	}
	if sp == nil {
		m.Tokenizer = tokenizer.FromVocab(m.Vocabulary)
		return nil
	}
	if m.Tokenizer, err = tokenizer.FromSentencePiece(sp); err != nil {
		return fmt.Errorf("tokenizer.model: %w", err)
	}
	return sameVocabulary(l.vocabulary, m.Vocabulary, m.Tokenizer)
}

// loadSession creates the session of the encoder's graph with the heads.
func (m *SpeechModel) loadSession(f ModelFolder, l fileLayout, enc fileBytes, o ModelOptions) error {
	g, err := parseGraph(enc.bytes)
	if err != nil {
		return err
	}
	if !g.hasInput(tensorAudio) || !g.hasInput(tensorLength) || len(g.outputs) == 0 {
		return fmt.Errorf("its inputs are %v, want %s and %s as NeMo exports them", g.inputs, tensorAudio, tensorLength)
	}
	m.Parameters = g.params
	m.Int8 = m.Int8 || g.hasOperator("MatMulInteger")
	m.Wide = m.Int8 && hasWideWeights(f, g, l.encoder)
	if m.ModelConfig, err = readConfig(f, g); err != nil {
		return err
	}
	heads, outputs, err := m.traceHeads(f, l, g)
	if err != nil {
		return err
	}
	inputs, err := m.readCaches(g)
	if err != nil {
		return err
	}
	if m.Streaming != nil {
		outputs = append(outputs, outputChannelCache, outputTimeCache, outputCacheLength)
	}
	if own := g.meta[coreMark] != "" && g.hasInput(tensorPrompt); own != (m.Prompts != nil) {
		return errors.New("its graph has prompts and munadi.json has none, or the other way round")
	} else if own {
		inputs = append(inputs, tensorPrompt)
	}
	if m.predictor != nil {
		var filling sync.WaitGroup
		filling.Go(m.predictor.fillTable)
		defer filling.Wait()
	}
	from, err := m.graftEncoder(g, enc, heads, o)
	if err != nil {
		return err
	}
	enc.dropPages() // read for the graph; ONNX Runtime maps the weights on its own
	session := m.shareThreads(o.Threads)
	session.Profile, session.Mapped = o.Profile, m.Mapped
	if m.session, err = ort.NewSession(from, inputs, outputs, session); err != nil {
		return err
	}
	if m.Mapped {
		m.dropper = startDropping(enc.path + dataSuffix)
	}
	return nil
}

// graftEncoder returns the encoder's graph with the heads, and with a rewritten core if it is recognized.
func (m *SpeechModel) graftEncoder(
	g *onnxGraph, enc fileBytes, heads []linearHead, o ModelOptions,
) (from ort.ModelGraph, err error) {
	file := ""
	if enc.path != "" {
		from.Dir, file = filepath.Split(enc.path)
	}
	var core *coreReplacement
	if !o.Verbatim && g.meta[coreMark] == "" {
		core = replaceCore(g, file, cmp.Or(o.Tables, defaultTables))
	}
	m.rewritten = core != nil || g.meta[coreMark] != ""
	from.Bytes, err = graftHeads(enc.bytes, file, core, heads)
	return from, err
}

// tryModel runs a second of silence, so that a graph with unexpected shapes is detected when it is opened.
func (m *SpeechModel) tryModel() error {
	const frames = 100
	enc, err := m.EncodeMel(context.Background(), make([]float32, m.Features*(frames+1)), frames)
	if err != nil {
		return err
	}
	if want := m.frameCount(frames); enc.T != want && !m.stepwise {
		return fmt.Errorf("it returned %d encoder frames for %d feature frames, want %d (subsampling %d)",
			enc.T, frames, want, m.Subsampling)
	}
	return m.tryStream(frames)
}

// tryStream runs a cache-aware encoder on feature frames of silence, at least twice the frames of a chunk.
func (m *SpeechModel) tryStream(frames int) error {
	if m.Streaming == nil {
		return nil
	}
	span := m.Streaming.Contexts[0]
	s, err := m.NewStream(span)
	if err != nil {
		return err
	}
	frames = max(frames, 2*span.chunkFrames(m.Streaming.Chunked)*m.Subsampling)
	s.PushMel(make([]float32, frames*m.Features))
	_, err = s.EncodeReady(context.Background())
	return err
}

// HasRNNT reports whether the model has an RNNT head.
func (m *SpeechModel) HasRNNT() bool { return m.predictor != nil }

// HasCTC reports whether the model has a CTC head.
func (m *SpeechModel) HasCTC() bool { return m.hasCTC }

// IsRewritten reports whether the encoder's graph was recognized and rewritten with fewer operators.
func (m *SpeechModel) IsRewritten() bool { return m.rewritten }

// Close frees the sessions; no EncodeMel call may be running.
func (m *SpeechModel) Close() error {
	var err error
	if m.Verifier != nil {
		err = m.Verifier.Close()
	}
	if m.session == nil {
		return err
	}
	if m.dropper != nil {
		m.dropper.stopDropping()
	}
	return errors.Join(err, m.session.Close())
}
