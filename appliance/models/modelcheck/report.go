package modelcheck

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"munadi/engine"
	"munadi/engine/arabic"
	"munadi/engine/model"
	"munadi/store/excerpt"
)

// File is the name of the report in the model's folder.
const File = "munadi-measured.json"

// production is the name of the default decoding mode among the scores, which also has those of the single heads.
const production = "production"

// TrialReport is the result of a trial. Times are in seconds.
type TrialReport struct {
	At           time.Time         `json:"at"`
	Machine      string            `json:"machine"` // CPU model
	Threads      int               `json:"threads"`
	Precision    string            `json:"precision,omitempty"` // of the weights; empty: written by an earlier version
	Bytes        int64             `json:"bytes,omitempty"`     // of the model's files; 0: written by an earlier version
	Original     *Original         `json:"original,omitempty"`  // of a model whose weights were converted to 8 bits here
	Opening      float64           `json:"opening_seconds"`
	Speech       float64           `json:"speech_seconds"`   // of the clips
	Took         float64           `json:"took_seconds"`     // to decode them in the default mode
	MemoryMiB    float64           `json:"memory_mib"`       // growth of the process, ONNX Runtime included; 0: unknown
	Mapped       bool              `json:"mapped,omitempty"` // the weights were left in their file: slower than in service
	Scores       []ErrorScore      `json:"scores"`           // the default mode's first, then each head's
	Clips        []ClipResult      `json:"clips"`
	NoSpeech     float64           `json:"no_speech_seconds"`
	Invented     int               `json:"invented_words"`      // without speech, with the VAD
	InventedBare int               `json:"invented_words_bare"` // without speech, without the VAD
	NotANumber   bool              `json:"not_a_number"`
	Info         engine.EngineInfo `json:"-"`
}

// ClipResult is one clip's reference transcript and the model's.
type ClipResult struct {
	Name  string `json:"name"`
	Said  string `json:"said"`
	Heard string `json:"heard"`
}

// ErrorScore counts the errors of one decoding mode. Arabic spelling variants count as correct.
type ErrorScore struct {
	Head         string `json:"head"`
	Words        int    `json:"words"`
	WordErrors   int    `json:"word_errors"`
	Letters      int    `json:"letters"`
	LetterErrors int    `json:"letter_errors"`
}

func (s *ErrorScore) addPair(said, heard string) {
	errs, words := arabic.WordErrors(said, heard)
	s.WordErrors, s.Words = s.WordErrors+errs, s.Words+words
	errs, letters := arabic.LetterErrors(said, heard)
	s.LetterErrors, s.Letters = s.LetterErrors+errs, s.Letters+letters
}

// wer returns the word error rate; it may exceed 1.
func (s ErrorScore) wer() float64 { return ratioOf(s.WordErrors, s.Words) }

// cer returns the character error rate.
func (s ErrorScore) cer() float64 { return ratioOf(s.LetterErrors, s.Letters) }

func ratioOf(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// RealTimeFactor returns the decoding time of a second of speech.
func (r *TrialReport) RealTimeFactor() float64 {
	if r.Speech == 0 {
		return 0
	}
	return r.Took / r.Speech
}

// HasInt8 reports whether the model is known to have 8-bit weights.
func (r *TrialReport) HasInt8() bool { return r.Precision == string(model.INT8) }

// DecodingFault returns why the model is unusable; nil if it decodes.
func (r *TrialReport) DecodingFault() error {
	switch {
	case r.NotANumber:
		return errors.New("the model does not decode: its scores are not numbers (NaN); " +
			"the weights are damaged, or were converted wrongly")
	case strings.TrimSpace(r.heardText()) == "":
		return fmt.Errorf("the model does not decode: it recognizes nothing in %.0f s of clear speech", r.Speech)
	}
	return nil
}

// NoArabic returns why a model that decodes does not recognize Arabic; nil if it recognizes the clips.
func (r *TrialReport) NoArabic() error {
	best := slices.MinFunc(r.Scores, func(a, b ErrorScore) int { return cmp.Compare(a.cer(), b.cer()) })
	switch {
	case r.DecodingFault() != nil:
		return nil //nolint:nilerr // a model that can't decode is another fault
	case !strings.ContainsFunc(r.heardText(), func(c rune) bool { return unicode.Is(unicode.Arabic, c) }):
		return fmt.Errorf("the model writes no Arabic: it recognized %q; it is a model of another language, "+
			"or the vocabulary belongs to another model", excerpt.TruncateText(r.heardText(), maxHeard))
	case best.cer() > maxCER:
		return fmt.Errorf("the model recognizes other words than were said: %.0f %% of the letters are wrong "+
			"(first %q instead of %q); the vocabulary belongs to another model, or the model was never trained",
			100*best.cer(), excerpt.TruncateText(r.Clips[0].Heard, maxHeard), r.Clips[0].Said)
	}
	return nil
}

// heardText returns the transcripts of all clips.
func (r *TrialReport) heardText() string {
	var heard strings.Builder
	for _, c := range r.Clips {
		heard.WriteString(c.Heard)
	}
	return heard.String()
}

const maxHeard = 120 // characters of a quoted text: a broken model may produce any amount

// maxCER is the character error rate from which a model counts as not recognizing anything. A vocabulary in another
// order gives 0.9, one with a third of its tokens exchanged 0.5.
const maxCER = 0.75

// Thresholds of warnings.
const (
	maxGoodWER        = 0.4 // word error rate
	maxHeadGap        = 0.3 // difference of the heads' word error rates
	maxRealTimeFactor = 0.5 // real-time factor
	minInvented       = 2   // words in clips without speech
)

// QualityWarnings returns warnings about a model that decodes badly or slowly.
func (r *TrialReport) QualityWarnings() []string {
	var out []string
	warn := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if wer := r.Scores[0].wer(); wer > maxGoodWER {
		warn("%.0f %% of the words are wrong on clear speech about appointments and orders; "+
			"test it before you rely on it", 100*wer)
	}
	if heads := r.Scores[1:]; len(heads) == 2 {
		worse, better := heads[0], heads[1]
		if worse.wer() < better.wer() {
			worse, better = better, worse
		}
		if worse.wer() > better.wer()+maxHeadGap {
			warn("the %s head is far worse than the %s head (%.0f %% of the words wrong, and %.0f %%); "+
				"its file may belong to another model", worse.Head, better.Head, 100*worse.wer(), 100*better.wer())
		}
	}
	if r.RealTimeFactor() > maxRealTimeFactor {
		warn("a second of speech takes %.1f s on this machine: too slow for live calls", r.RealTimeFactor())
	}
	if r.Invented >= minInvented {
		warn("it invents words in audio without speech: %d in %.0f s", r.Invented, r.NoSpeech)
	}
	return out
}

// MarshalReport returns the report as JSON.
func (r *TrialReport) MarshalReport() ([]byte, error) { return json.MarshalIndent(r, "", "  ") }

// ReadReport reads the measurements in a model's folder; nil for a model that was never measured.
func ReadReport(folder string) (*TrialReport, error) {
	b, err := os.ReadFile(filepath.Join(folder, File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return ParseReport(b)
}

// ParseReport parses MarshalReport's JSON.
func ParseReport(b []byte) (*TrialReport, error) {
	r := &TrialReport{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("%s: %w", File, err)
	}
	if len(r.Scores) == 0 {
		return nil, fmt.Errorf("%s holds no scores", File)
	}
	return r, nil
}

// Write prints the report: a table of figures, then the clips, the warnings and the comparison with the original.
func (r *TrialReport) Write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	r.writeRows(func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	})
	errs := []error{w.Flush()}
	if r.DecodingFault() != nil || r.NoArabic() != nil {
		return errors.Join(errs...)
	}
	for _, warning := range r.QualityWarnings() {
		_, err := fmt.Fprintf(out, "warning: %s\n", warning)
		errs = append(errs, err)
	}
	if r.Original != nil {
		errs = append(errs, r.writeComparison(out))
	}
	return errors.Join(errs...)
}

// writeRows passes each figure and each clip to row.
func (r *TrialReport) writeRows(row func(name, format string, args ...any)) {
	row("tested", "%s, %s, %d threads", r.At.Format("2006-01-02 15:04 MST"), r.Machine, r.Threads)
	if rtf := r.RealTimeFactor(); rtf > 0 {
		row("speed", "%.0f times real time (%.1f s of speech in %.2f s; real-time factor %.3f)", 1/rtf, r.Speech, r.Took, rtf)
	}
	if r.Mapped {
		row("", "(tested with the weights left in their file, to need less memory: in service it is faster)")
	}
	if r.MemoryMiB > 0 {
		row("memory", "%.0f MiB, ONNX Runtime included", r.MemoryMiB)
	}
	row("opening", "%.1f s", r.Opening)
	for _, s := range r.Scores {
		row(s.Head, "%.1f %% of the words wrong (%d of %d), %.1f %% of the letters",
			100*s.wer(), s.WordErrors, s.Words, 100*s.cer())
	}
	row("no speech", "%d words invented in %.0f s of silence, noise and hum (%d without voice activity detection)",
		r.Invented, r.NoSpeech, r.InventedBare)
	for _, c := range r.Clips {
		heard := excerpt.TruncateText(c.Heard, maxHeard)
		if heard == "" {
			heard = "(nothing)"
		}
		row("said", "%s", c.Said)
		row("heard", "%s", heard)
	}
}

// Original is what the trial of a model measured before its weights were converted to 8 bits.
type Original struct {
	Bytes     int64        `json:"bytes"`      // of its files
	MemoryMiB float64      `json:"memory_mib"` // 0: unknown
	RealTime  float64      `json:"real_time_factor"`
	Score     ErrorScore   `json:"score"` // of the default decoding mode
	Mapped    bool         `json:"mapped,omitempty"`
	Changed   []ClipResult `json:"changed,omitempty"` // the clips in which the 8-bit form hears something else
}

// SetOriginal records the trial of the original, full, in the report of its 8-bit form.
func (r *TrialReport) SetOriginal(full *TrialReport) {
	r.Original = &Original{
		Bytes: full.Bytes, MemoryMiB: full.MemoryMiB, RealTime: full.RealTimeFactor(), Score: full.Scores[0],
		Mapped: full.Mapped,
	}
	for i, c := range full.Clips {
		if i >= len(r.Clips) || c.Heard != r.Clips[i].Heard {
			r.Original.Changed = append(r.Original.Changed, c)
		}
	}
}

// writeComparison prints how the model's 8-bit form differs from its original: size, speed, errors, texts.
func (r *TrialReport) writeComparison(out io.Writer) error {
	o := r.Original
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "\n\t8 bits\toriginal")
	fmt.Fprintf(w, "size\t%.0f MiB\t%.0f MiB\n", toMebibytes(r.Bytes), toMebibytes(o.Bytes))
	if r.MemoryMiB > 0 && o.MemoryMiB > 0 {
		fmt.Fprintf(w, "memory\t%.0f MiB\t%.0f MiB\n", r.MemoryMiB, o.MemoryMiB)
	}
	fmt.Fprintf(w, "real-time factor\t%.3f\t%.3f\n", r.RealTimeFactor(), o.RealTime)
	fmt.Fprintf(w, "words wrong\t%d of %d\t%d of %d\n",
		r.Scores[0].WordErrors, r.Scores[0].Words, o.Score.WordErrors, o.Score.Words)
	errs := []error{w.Flush()}
	say := func(format string, args ...any) {
		_, err := fmt.Fprintf(out, format+"\n", args...)
		errs = append(errs, err)
	}
	if o.Mapped {
		say("The original was tested with its weights left in their file: in service it is faster.")
	}
	for _, c := range o.Changed {
		say("8 bits:   %s", excerpt.TruncateText(r.heardIn(c.Name), maxHeard))
		say("original: %s", excerpt.TruncateText(c.Heard, maxHeard))
	}
	if len(o.Changed) == 0 {
		say("The texts of all clips are the same.")
	}
	if r.RealTimeFactor() > o.RealTime {
		say("warning: 8-bit weights are slower on this machine; the original is faster and exact")
	}
	return errors.Join(errs...)
}

// heardIn returns the model's transcript of a clip.
func (r *TrialReport) heardIn(clip string) string {
	for _, c := range r.Clips {
		if c.Name == clip {
			return c.Heard
		}
	}
	return ""
}

func toMebibytes(n int64) float64 { return float64(n) / (1 << 20) }
