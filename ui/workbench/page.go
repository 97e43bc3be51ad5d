package workbench

import (
	"fmt"
	"strings"

	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// View is the page of the debug decoder.
type View struct {
	layout.ConsolePage
	May      bool // send files
	Samples  []component.ListChoice
	Channels []component.ListChoice // of a recording, of which one is decoded
	Knobs    []ParameterField
	Fault    string
	Result   *DecodedResult
	Share    string // address of this result; empty for a file's
	Audio    string // address of the sample
}

// KnobKind is how a parameter is set.
type KnobKind string

// The kinds.
const (
	KnobNumber KnobKind = "number"
	KnobToggle KnobKind = "toggle"
	KnobChoice KnobKind = "choice"
	KnobText   KnobKind = "text"
)

// ParameterField is one parameter.
type ParameterField struct {
	Name, Group    string
	Kind           KnobKind
	Value, Default string
	Choices        []string
	Fault          string
}

// knobGroup is knobs under a heading.
type knobGroup struct {
	Title   string
	Knobs   []ParameterField
	Changed bool // one differs from its default
}

// groupParameters puts the knobs under their headings.
func (p View) groupParameters() []knobGroup {
	var out []knobGroup
	for _, head := range []struct{ group, title string }{
		{"heads", Heads.In(p.Lang)},
		{"beam", Beam.In(p.Lang)},
		{"spot", Spot.In(p.Lang)},
		{"cut", Cut.In(p.Lang)},
	} {
		g := knobGroup{Title: head.title}
		for _, k := range p.Knobs {
			if k.Group == head.group {
				g.Knobs = append(g.Knobs, k)
				g.Changed = g.Changed || k.Value != k.Default
			}
		}
		out = append(out, g)
	}
	return out
}

// DecodedResult is the decoder's output.
type DecodedResult struct {
	Text     string
	Seconds  string
	Segments []DecodedSegment
	Chart    TokenChart
	Timings  []StageTiming
	Warnings []string
}

// StageTiming is how long a stage took, in milliseconds.
type StageTiming struct{ Stage, Took string }

// DecodedSegment is a segment in words.
type DecodedSegment struct {
	Number, From, To  string
	RNNT, CTC, Hybrid DecodedReading
	Picked            string
	Spotted           []DecodedPhrase
	Applied           bool
}

// DecodedReading is a text and its score.
type DecodedReading struct{ Text, Score string }

// DecodedPhrase is a spotted phrase.
type DecodedPhrase struct{ Text, From, To, Score string }

// TokenChart is the waveform with the decoders' tokens under it, in pixels; time runs left to right.
type TokenChart struct {
	Width, Height int
	Wave          string // a path
	Segments      []ChartBox
	Ticks         []ChartTick
	Brackets      []ChartBracket
	Rows          []TokenRow
}

// ChartBox is a stretch from X on; Share is the filled part of it.
type ChartBox struct{ X, Width, Filled int }

// ChartTick is a second on the axis.
type ChartTick struct {
	X    int
	Name string
}

// ChartBracket is a spotted phrase over its stretch.
type ChartBracket struct {
	X, Width, Y int
	Name        string
}

// TokenRow is a decoder's row. Y is its top, in the chart.
type TokenRow struct {
	Name   string // rnnt, ctc, hybrid
	Y      int
	Tokens []ChartToken
	Scores []ChartBox // a bar a segment: how sure an average token is
	Bar    int        // top of the bars
}

// ChartToken is a token at its moment.
type ChartToken struct {
	X, Y  int
	Text  string
	Start bool // of a word
	At    string
}

// rowTitle returns the row's name.
func (r TokenRow) rowTitle(l locale.Language) string {
	return map[string]locale.Text{"rnnt": RNNT, "ctc": CTC, "hybrid": Hybrid}[r.Name].In(l)
}

// bracketPath draws a bracket: down, along, down.
func (b ChartBracket) bracketPath() string {
	return fmt.Sprintf("M%d %dv-6h%dv6", b.X, b.Y, b.Width)
}

func fillValue(sentence, value string) string { return strings.ReplaceAll(sentence, "{value}", value) }
