package modelcheck

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
)

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
		say("8 bits:   %s\noriginal: %s", truncateText(r.heardIn(c.Name)), truncateText(c.Heard))
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
