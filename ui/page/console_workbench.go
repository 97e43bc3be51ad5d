package page

import (
	"fmt"
	"strings"

	"munadi/ui/shell"
	"munadi/ui/text"
)

// Workbench is the page of the debug decoder.
type Workbench struct {
	shell.ConsolePage
	May     bool // send files
	Samples []Choice
	Knobs   []Knob
	Fault   string
	Result  *Decoded
	Share   string // address of this result; empty for a file's
	Audio   string // where the sample is heard
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

// Knob is one parameter.
type Knob struct {
	Name, Group    string
	Kind           KnobKind
	Value, Default string
	Choices        []string
	Fault          string
}

// KnobGroup is knobs under a heading.
type KnobGroup struct {
	Title   string
	Knobs   []Knob
	Changed bool // one differs from its default
}

func (p Workbench) words() text.Workbench { return text.WorkbenchIn(p.Lang) }

// groups puts the knobs under their headings.
func (p Workbench) groups(w text.Workbench) []KnobGroup {
	var out []KnobGroup
	for _, head := range []struct{ group, title string }{
		{"heads", w.Heads}, {"beam", w.Beam}, {"spot", w.Spot}, {"cut", w.Cut},
	} {
		g := KnobGroup{Title: head.title}
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

// Decoded is what the decoder said.
type Decoded struct {
	Text     string
	Seconds  string
	Segments []DecodedSegment
	Chart    TokenChart
	Timings  []Timing
	Warnings []string
}

// Timing is how long a stage took, in milliseconds.
type Timing struct{ Stage, Took string }

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

// title is the row's name.
func (r TokenRow) title(w text.Workbench) string {
	return map[string]string{"rnnt": w.RNNT, "ctc": w.CTC, "hybrid": w.Hybrid}[r.Name]
}

// path draws a bracket: down, along, down.
func (b ChartBracket) path() string {
	return fmt.Sprintf("M%d %dv-6h%dv6", b.X, b.Y, b.Width)
}

func fillValue(sentence, value string) string { return strings.ReplaceAll(sentence, "{value}", value) }
