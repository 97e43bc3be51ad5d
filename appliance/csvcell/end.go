package csvcell

import (
	"context"
	"encoding/csv"

	"munadi/store"
)

// IncompleteMark is the only cell of the last row of a file that lacks records, because they, or the rest of the list,
// could not be read. No first cell of another row looks like it, and an import refuses it as a row.
const IncompleteMark = "error: this file is incomplete"

// EndFile writes the buffered rows, and [IncompleteMark] if the reads under the context left out damaged records.
func EndFile(ctx context.Context, out *csv.Writer) error {
	if !store.DamageReportOf(ctx).IsEmpty() {
		_ = out.Write([]string{IncompleteMark}) // out.Error reports a failed connection
	}
	out.Flush()
	return out.Error()
}
