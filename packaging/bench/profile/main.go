// Command profile measures where the encoder's time goes, operator by operator, in the form that Munadi runs and in
// the graph as NeMo exported it, and writes a table.
//
//	go run ./packaging/bench/profile [-seconds 10] [-runs 10] [-out packaging/bench/PROFILE.md] NAME=FOLDER…
//
// A folder is a model's, such as .cache/bench/models/large/fp32/munadi, which make bench makes. Each form is loaded
// alone, on one thread, and given the same features.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	var o profileOptions
	flag.IntVar(&o.seconds, "seconds", 10, "length of the utterance")
	flag.IntVar(&o.runs, "runs", 10, "runs of each form")
	flag.StringVar(&o.out, "out", "packaging/bench/PROFILE.md", "file of the table; - is standard output")
	flag.StringVar(&o.note, "note", "", "a note about the machine, for the table")
	flag.Parse()
	if err := runProfile(o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

// profileOptions are the command's flags.
type profileOptions struct {
	seconds, runs int
	out, note     string
}

// runProfile profiles both forms of every model and writes the table.
func runProfile(o profileOptions, models []string) error {
	if len(models) == 0 || o.runs < 1 || o.seconds < 1 {
		return fmt.Errorf("name a model or several as NAME=FOLDER; -runs and -seconds are at least 1")
	}
	temporary, err := os.MkdirTemp("", "munadi-profile-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temporary) }()
	var columns []profileColumn
	for _, m := range models {
		name, folder, ok := strings.Cut(m, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=FOLDER", m)
		}
		for _, verbatim := range []bool{true, false} {
			c, err := profileModel(o, folder, temporary, verbatim)
			if err != nil {
				return fmt.Errorf("%s: %w", folder, err)
			}
			c.model = name
			columns = append(columns, c)
		}
	}
	table := formatProfile(o, columns)
	if o.out == "-" {
		_, err := os.Stdout.WriteString(table)
		return err
	}
	return os.WriteFile(o.out, []byte(table), 0o644) //nolint:gosec // a document
}
