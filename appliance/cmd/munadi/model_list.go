package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/modelhub"
	"munadi/appliance/models"
	"munadi/appliance/models/modelinstall"
	"munadi/appliance/models/modelshare"
	"munadi/store/bucket"
	"munadi/store/disk"
)

// ModelListCmd is munadi model list.
type ModelListCmd struct{}

// Run lists installed models, with the selected one marked, those of the bucket that are not here yet, and models that
// are known to work.
func (ModelListCmd) Run(cfg *config.Config, out io.Writer) error {
	s := models.OpenFolder(cfg.Data)
	path, err := modelFolder(cfg)
	if err != nil {
		path = "(unknown)" // installed models can still be listed
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "INSTALLED\tIN USE\tSIZE\tFROM")
	fmt.Fprintf(w, "%s\t%s\t\tthis program\n", builtIn, inUse(path == ""))
	for _, name := range s.InstalledNames() {
		folder := s.Folder(name)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n",
			name, inUse(path == folder), formatMegabytes(disk.SizeOf(folder)), sourceLine(folder))
	}
	listUnfetched(w, cfg, s.InstalledNames())
	fmt.Fprintln(w, "\nKNOWN TO WORK\tLICENCE\tSIZE\tLANGUAGES, WHAT IT IS, PUBLISHED WORD ERROR RATES")
	for _, k := range modelhub.KnownModels() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s: %s\n", k.Name, k.License, k.DownloadSize(), strings.Join(k.Languages, ", "), k.About)
		for _, r := range k.Rates {
			fmt.Fprintf(w, "\t\t\t%g %% on %s; source: %s\n", r.WER, r.What, r.Source)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(
		out, "\nTo download one: munadi model pull NAME. Its card describes its training and test data.",
	)
	return err
}

// bucketWait is how long the list of models waits for the bucket.
const bucketWait = 10 * time.Second

// listUnfetched lists the models in the bucket that this machine has not downloaded yet. A bucket that does not answer
// is named in the list: the installed models can still be listed.
func listUnfetched(w io.Writer, cfg *config.Config, installed []string) {
	if !cfg.KeepsElsewhere() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), bucketWait)
	defer cancel()
	var shared []modelshare.ModelRecord
	b, err := bucket.OpenBucket(cfg.Recordings, os.LookupEnv)
	if err == nil {
		shared, err = modelshare.ListShared(ctx, b)
	}
	if err != nil {
		fmt.Fprintf(w, "(the models in the bucket can't be listed: %v)\n", err)
	}
	for _, one := range shared {
		if !slices.Contains(installed, one.Name) {
			fmt.Fprintf(w, "%s\t\t%s\tin the bucket, not installed here\n", one.Name, formatMegabytes(one.Bytes()))
		}
	}
}

func inUse(yes bool) string {
	if yes {
		return "yes"
	}
	return ""
}

// sourceLine returns where a model was downloaded from.
func sourceLine(folder string) string {
	source, err := modelinstall.SourceOf(folder)
	switch {
	case err != nil:
		return "(its " + modelinstall.SourceFile + " can't be read)"
	case source == nil:
		return "a file"
	}
	return fmt.Sprintf("%s at %.12s, %s", source.Name, source.Revision, source.License)
}

// ModelRemoveCmd is munadi model remove NAME.
type ModelRemoveCmd struct {
	Name string `arg:"" help:"An installed model's name."`
}

// Run removes the model.
func (m *ModelRemoveCmd) Run(cfg *config.Config, out io.Writer) error {
	if err := checkOwner(cfg); err != nil {
		return err
	}
	s := models.OpenFolder(cfg.Data)
	if cfg.Model != "" && s.IsFolderOf(cfg.Model, m.Name) {
		return fmt.Errorf("%s is in use: the setting model is its folder; change the setting first", m.Name)
	}
	if err := s.Remove(m.Name); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%s is removed.%s\n", m.Name,
		sharedNote(cfg, "It is removed from the bucket and the other appliances when none of them uses it."))
	return err
}
