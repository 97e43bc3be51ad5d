package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"munadi/appliance/config"
	"munadi/appliance/database"
	"munadi/store/dump"
)

// StoreCmd is `munadi store`: the database as a whole.
type StoreCmd struct {
	Migrate StoreMigrateCmd `cmd:"" help:"Copy all records from the embedded database to PostgreSQL, or back, and compare."`
}

// StoreMigrateCmd is `munadi store migrate`.
type StoreMigrateCmd struct {
	From string `required:"" placeholder:"URL" help:"The source database: badger (in the folder --data), or postgres://…"`
	To   string `required:"" placeholder:"URL" help:"The target database, which must be empty: badger, or postgres://…"`
}

// Run copies, compares and prints the counts.
func (m *StoreMigrateCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	report, err := database.MigrateStore(ctx, cfg, m.From, m.To)
	if err != nil {
		return err
	}
	if err := printCounts(app.Stdout, report.Records); err != nil {
		return err
	}
	_, err = fmt.Fprintln(app.Stdout, "All records were copied, read back and compared. The source was not changed.")
	return err
}

// printCounts prints a line with the number and the kind of the records, for each kind.
func printCounts(out io.Writer, records dump.RecordCounts) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, kind := range slices.Sorted(maps.Keys(records)) {
		fmt.Fprintf(table, "%d\t  %s\n", records[kind], kind) // the padding of AlignRight is on the left only
	}
	return table.Flush()
}
