package modelcheck

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
)

// Write prints the report: a table of figures, then the clips, then the warnings.
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
			100*s.WER(), s.WordErrors, s.Words, 100*s.CER())
	}
	row("no speech", "%d words invented in %.0f s of silence, noise and hum (%d without voice activity detection)",
		r.Invented, r.NoSpeech, r.InventedBare)
	for _, c := range r.Clips {
		heard := truncateText(c.Heard)
		if heard == "" {
			heard = "(nothing)"
		}
		row("said", "%s", c.Said)
		row("heard", "%s", heard)
	}
}
