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

// EndBrokenFile ends a file of which rows were read, but not the rest: the response has begun, so its last row says so.
// It returns the error.
func EndBrokenFile(out *csv.Writer, err error) error {
	_ = out.Write([]string{IncompleteMark}) // a failed connection needs no message
	out.Flush()
	return err
}
