// Package subtitle writes subtitles as SubRip (srt) and WebVTT (W3C, 2019) files, from cues of any source.
//
// Players apply the Unicode bidirectional algorithm by themselves, so Arabic lines need no direction marks.
package subtitle

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
)

// SubtitleCue is one subtitle; its times are seconds from the beginning of the audio.
type SubtitleCue struct {
	Start, End float64
	Text       string
}

// WriteSRT writes SubRip: numbered from 1, times with a comma before the milliseconds.
func WriteSRT(w io.Writer, cues []SubtitleCue) error {
	b := bufio.NewWriter(w)
	for i, c := range cues {
		fmt.Fprintf(
			b, "%d\n%s --> %s\n%s\n\n", i+1, formatTimestamp(c.Start, ","), formatTimestamp(c.End, ","), joinCueLines(c.Text),
		)
	}
	return b.Flush()
}

// WriteVTT writes WebVTT. The three characters that its cue text reserves are escaped.
func WriteVTT(w io.Writer, cues []SubtitleCue) error {
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "WEBVTT\n\n")
	for _, c := range cues {
		fmt.Fprintf(
			b,
			"%s --> %s\n%s\n\n",
			formatTimestamp(c.Start, "."),
			formatTimestamp(c.End, "."),
			escape.Replace(joinCueLines(c.Text)),
		)
	}
	return b.Flush()
}

// joinCueLines joins the text into one line: an empty line would end the cue.
func joinCueLines(text string) string { return strings.Join(strings.Fields(text), " ") }

// formatTimestamp returns hh:mm:ss and milliseconds after the separator.
func formatTimestamp(seconds float64, separator string) string {
	ms := int64(math.Round(math.Max(seconds, 0) * 1000))
	return fmt.Sprintf("%02d:%02d:%02d%s%03d", ms/3600000, ms/60000%60, ms/1000%60, separator, ms%1000)
}
