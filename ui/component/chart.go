package component

import (
	"fmt"
	"math"
	"strings"

	"munadi/ui/locale"
)

// KeyFigure is one of the four key figures of the dashboard.
type KeyFigure struct {
	Label string
	Value string // Latin digits
	Unit  string // after the value, small
	Note  string // explanation
	Past  string // the same figure of earlier days; empty: none
	Href  string // link to its rows; empty: none
}

// StackedBars is a stacked bar chart, one bar per time slot.
type StackedBars struct {
	ID     string // of the figure, unique on its page
	Title  string
	Series []ChartSeries
	Slots  []string // labels of the slots, e.g. "09:00"
	Every  int      // every how many slots the axis names one
	Now    float64  // in slots from the first: what lies after it is still to come; 0: not shown
	Empty  string   // text when all values are zero
}

// ChartSeries is one series (colour) of a chart. State names the colour (assets/web/css/state.css).
type ChartSeries struct {
	State  string
	Label  string
	Values []float64
}

// SparkLine is a small line chart of one value over time.
type SparkLine struct {
	ID, Title string
	Summary   string    // the latest value, as text
	Values    []float64 // at equal distances; NaN: not known
	Max       float64   // top of the chart; 0: the largest value
	From, To  string    // ends of the axis
	Empty     string
}

// FillGauge is a fill level indicator.
type FillGauge struct {
	Label, Text string
	Part        float64 // 0..1
	State       string
}

// chartHeight is the height of a chart's own grid; its width is one unit a slot, or 1000.
const chartHeight = 100

func (b StackedBars) topValue() float64 {
	top := 0.0
	for i := range b.Slots {
		sum := 0.0
		for _, s := range b.Series {
			sum += s.Values[i]
		}
		top = max(top, sum)
	}
	return roundUpNice(top)
}

// roundUpNice returns the next round number up whose half is whole: 2, 4, 6, 8, 10, 12, 16, 20, 24, 30, 40, 50, 60, 80,
// 100, 120, …
func roundUpNice(v float64) float64 {
	for step := 1.0; ; step *= 10 {
		for _, n := range []float64{2, 4, 6, 8, 10, 12, 16, 20, 24, 30, 40, 50, 60, 80} {
			if n*step >= v {
				return n * step
			}
		}
	}
}

func (b StackedBars) isEmpty() bool {
	for _, s := range b.Series {
		for _, v := range s.Values {
			if v > 0 {
				return false
			}
		}
	}
	return true
}

// chartBar is one rectangle.
type chartBar struct {
	X, Y, Width, Height string
	State, Title        string
}

// layOutBars positions the rectangles: the first series at the bottom.
func (b StackedBars) layOutBars() []chartBar {
	var out []chartBar
	top := b.topValue()
	for i, slot := range b.Slots {
		y := float64(chartHeight)
		for _, s := range b.Series {
			h := s.Values[i] / top * chartHeight
			if h <= 0 {
				continue
			}
			y -= h
			out = append(out, chartBar{
				X: formatNumber(
					float64(i) + 0.14,
				),
				Y:      formatNumber(y),
				Width:  "0.72",
				Height: formatNumber(max(h-0.8, 0.6)),
				State:  s.State,
				Title:  fmt.Sprintf("%s · %s: %s", slot, s.Label, locale.FormatCount(int(s.Values[i]))),
			})
		}
	}
	return out
}

func (s ChartSeries) totalText() string {
	sum := 0.0
	for _, v := range s.Values {
		sum += v
	}
	return locale.FormatCount(int(sum))
}

// spokenSummary returns the chart as text, for screen readers.
func (b StackedBars) spokenSummary() string {
	parts := make([]string, len(b.Series))
	for i, s := range b.Series {
		parts[i] = s.Label + " " + s.totalText()
	}
	return b.Title + ": " + strings.Join(parts, ", ")
}

func (b StackedBars) seriesNames() []string {
	var out []string
	for i := 0; i < len(b.Slots); i += max(b.Every, 1) {
		out = append(out, strings.TrimSuffix(b.Slots[i], ":00"))
	}
	return out
}

// linePath returns the line through the known values on a grid of 1000 by 100; closed at the bottom it is the area
// under it.
func (l SparkLine) linePath(closed bool) string {
	top := l.Max
	for _, v := range l.Values {
		if v > top {
			top = v
		}
	}
	if top == 0 {
		top = 1
	}
	var d strings.Builder
	step := 1000 / float64(max(len(l.Values)-1, 1))
	first := ""
	for i, v := range l.Values {
		if math.IsNaN(v) {
			continue
		}
		x, command := formatNumber(float64(i)*step), "L"
		if first == "" {
			first, command = x, "M"
		}
		fmt.Fprintf(&d, "%s%s %s", command, x, formatNumber(chartHeight-4-v/top*(chartHeight-8)))
	}
	if closed {
		fmt.Fprintf(&d, "V%d H%sZ", chartHeight, first)
	}
	return d.String()
}

// isDrawn reports whether there are two known values.
func (l SparkLine) isDrawn() bool {
	known := 0
	for _, v := range l.Values {
		if !math.IsNaN(v) {
			known++
		}
	}
	return known > 1
}

// formatNumber writes a coordinate or a count without needless digits.
func formatNumber(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}

// nonEmptySeries returns the series that have anything to show.
func nonEmptySeries(series []ChartSeries) []ChartSeries {
	var out []ChartSeries
	for _, s := range series {
		if s.totalText() != "0" {
			out = append(out, s)
		}
	}
	return out
}
