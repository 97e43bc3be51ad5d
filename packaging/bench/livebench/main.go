// Command livebench measures live transcription from outside: it starts the built binary with a temporary data folder,
// streams recordings to its realtime protocol at the pace of speech, and writes the lag of the texts as a table.
//
//	go run ./packaging/bench/livebench [-munadi bin/munadi] [-speech ../shared/speech] [-minutes 2] [-parts one,eight]
//
// MUNADI_MODEL in its environment names the folder of another speech model than the built-in one; one of random weights
// finds no words, but its final texts have times, too.
//
// The speech is words of real people, joined to turns whose ends are known from the audio: see
// [speechLibrary.joinSpeech].
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

func main() {
	var o benchOptions
	flag.StringVar(&o.munadi, "munadi", "bin/munadi", "the binary")
	flag.StringVar(&o.speech, "speech", "../shared/speech", "folder of the recordings, with asc/ in it")
	flag.StringVar(&o.out, "out", "packaging/bench/LIVE.md", "file of the table; - is standard output")
	flag.StringVar(&o.parts, "parts", "one,eight,upload", "parts to measure")
	flag.StringVar(&o.note, "note", "", "a note about the machine, for the table")
	minutes := flag.Float64("minutes", 2, "how long each client speaks")
	flag.IntVar(&o.clients, "clients", 0, "number of clients of the part \"many\"")
	flag.BoolVar(&o.words, "words", false, "print each word to standard error")
	flag.Parse()
	o.length = time.Duration(*minutes * float64(time.Minute))
	if err := runBench(o); err != nil {
		fmt.Fprintln(os.Stderr, "livebench:", err)
		os.Exit(1)
	}
}

// benchOptions are the command's flags.
type benchOptions struct {
	munadi, speech, out, parts, note string
	length                           time.Duration
	clients                          int
	words                            bool
}

// benchPart is one measurement and its reference value.
type benchPart struct {
	name, what string
	clients    int
	upload     bool          // a long file is transcribed beside it
	word       time.Duration // the limit of the 95th percentile of words
}

func (o benchOptions) benchParts() []benchPart {
	return []benchPart{
		{"one", "1 client", 1, false, 500 * time.Millisecond},
		{"four", "4 clients", 4, false, 1500 * time.Millisecond},
		{"eight", "8 clients", 8, false, 1500 * time.Millisecond},
		{"many", fmt.Sprintf("%d clients", o.clients), o.clients, false, 1500 * time.Millisecond},
		{"upload", "1 client beside an upload of 4 hours", 1, true, 0},
	}
}

func runBench(o benchOptions) error {
	library, err := readLibrary(o.speech+"/asc", o.munadi)
	if err != nil {
		return err
	}
	a, err := startAppliance(o.munadi)
	if err != nil {
		return err
	}
	defer a.stopAppliance()
	var rows []figureRow
	for _, p := range o.benchParts() {
		if !strings.Contains(","+o.parts+",", ","+p.name+",") {
			continue
		}
		fmt.Fprintln(os.Stderr, "livebench:", p.what, machineLoad())
		got, err := measurePart(a, library, p, o)
		if err != nil {
			return fmt.Errorf("%s: %w", p.what, err)
		}
		rows = append(rows, got...)
	}
	if o.out == "-" {
		fmt.Print(renderPage(rows, o.note))
		return nil
	}
	return os.WriteFile(o.out, []byte(renderPage(rows, o.note)), 0o644)
}
