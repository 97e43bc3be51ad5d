package modelcheck

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteComparison prints how a model's 8-bit form, r, differs from the original, full: size, speed, errors.
func (r *TrialReport) WriteComparison(out io.Writer, full *TrialReport) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "\t8 bits\toriginal")
	fmt.Fprintf(w, "size\t%.0f MiB\t%.0f MiB\n", toMebibytes(r.Info.Bytes), toMebibytes(full.Info.Bytes))
	if r.MemoryMiB > 0 && full.MemoryMiB > 0 {
		fmt.Fprintf(w, "memory\t%.0f MiB\t%.0f MiB\n", r.MemoryMiB, full.MemoryMiB)
	}
	fmt.Fprintf(w, "real-time factor\t%.3f\t%.3f\n", r.RealTimeFactor(), full.RealTimeFactor())
	fmt.Fprintf(w, "words wrong\t%d of %d\t%d of %d\n",
		r.Scores[0].WordErrors, r.Scores[0].Words, full.Scores[0].WordErrors, full.Scores[0].Words)
	errs := []error{w.Flush()}
	say := func(format string, args ...any) {
		_, err := fmt.Fprintf(out, format+"\n", args...)
		errs = append(errs, err)
	}
	if full.Mapped {
		say("The original was tested with its weights left in their file: in service it is faster.")
	}
	changed := 0
	for i, c := range r.Clips {
		if i < len(full.Clips) && c.Heard != full.Clips[i].Heard {
			changed++
			say("8 bits:   %s\noriginal: %s", truncateText(c.Heard), truncateText(full.Clips[i].Heard))
		}
	}
	if changed == 0 {
		say("The texts of all clips are the same.")
	}
	if r.Took > full.Took {
		say("warning: 8-bit weights are slower on this machine; without --int8 the model is faster and exact")
	}
	return errors.Join(errs...)
}

func toMebibytes(n int64) float64 { return float64(n) / (1 << 20) }
