package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"text/tabwriter"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"munadi/appliance/config"
	"munadi/appliance/modelhub"
	"munadi/appliance/models"
	"munadi/appliance/models/modelinstall"
	"munadi/appliance/webhook"
)

// ModelPullCmd is munadi model pull NAME[@REVISION].
type ModelPullCmd struct {
	Name string `arg:"" name:"model" placeholder:"NAME[@REVISION]" help:"ORGANIZATION/NAME on the hub, or a name that munadi model list shows; optionally @ and a commit, branch or tag."`
	As   string `name:"name" placeholder:"NAME" help:"Name of the installed model; default: its name on the hub."`
	hubFlags
	AnyLanguage bool `help:"Install a model that does not recognize Arabic."`
	Int8        bool `name:"int8" help:"Convert to 8-bit weights, which are smaller and usually faster; the difference is measured."`
}

// Run finds the model, prints its size and licence, asks for confirmation, downloads and installs it.
func (m *ModelPullCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	name, revision, err := modelhub.ParseName(m.Name)
	if err != nil {
		return err
	}
	if m.As == "" {
		m.As = path.Base(name)
	}
	s := models.OpenFolder(cfg.Data)
	if err := errors.Join(checkOwner(cfg), s.CheckNameFree(m.As)); err != nil {
		return err
	}
	hub, err := m.openHub(cfg)
	if err != nil {
		return err
	}
	found, err := hub.Find(ctx, name, revision)
	if err != nil {
		return withOfflineAdvice(hub, name, revision, err)
	}
	folder := s.Fetched(found.Name + "@" + found.Revision)
	if err := m.downloadModel(ctx, hub, found, folder, out); err != nil {
		return withOfflineAdvice(hub, name, found.Revision, err)
	}
	o := modelinstall.InstallOptions{Name: m.As, AnyLanguage: m.AnyLanguage, Int8: m.Int8}
	err = installModel(ctx, cfg, modelinstall.FetchedPath(found, folder), o, modelinstall.SourceFrom(hub, found), out)
	return endDownload(folder, err)
}

// hubFlags are the flags of downloads from the hub.
type hubFlags struct {
	Yes       bool   `help:"Download without asking for confirmation."`
	TokenFile string `placeholder:"FILE" help:"File with the hub's access token; default: the variable HF_TOKEN."`
}

// endDownload removes downloaded files once they are installed.
func endDownload(folder string, err error) error {
	if err != nil {
		return fmt.Errorf("%w\nthe downloaded files are kept in %s", err, folder)
	}
	return os.RemoveAll(folder)
}

// openHub returns the client of the configured hub with the operator's token.
func (f hubFlags) openHub(cfg *config.Config) (*modelhub.Hub, error) {
	token := os.Getenv("HF_TOKEN")
	if f.TokenFile != "" {
		b, err := os.ReadFile(f.TokenFile)
		if err != nil {
			return nil, err
		}
		token = string(b)
	}
	return modelhub.OpenHub(cfg.ModelHub, token, webhook.OutboundNetwork{Proxy: cfg.OutboundProxy()}.NewTransport())
}

// describeHubModel prints the files to download.
func describeHubModel(out io.Writer, m *modelhub.Model) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(w, "model\t%s\nrevision\t%s\n", m.Name, m.Revision)
	license := m.License
	if license == "" {
		license = "not given by the hub; see the model card"
	}
	fmt.Fprintf(w, "licence\t%s\ncard\t%s\n", license, m.Card)
	for _, f := range m.Files {
		fmt.Fprintf(w, "file\t%s, %s\n", f.Name, formatMegabytes(f.Size))
	}
	fmt.Fprintf(w, "size\t%s\n", formatMegabytes(m.Size()))
	return w.Flush()
}

func formatMegabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// confirmDownload asks for confirmation. Without a terminal, --yes is required.
func confirmDownload(yes bool, out io.Writer) error {
	if yes {
		return nil
	}
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return errors.New("not downloaded: confirmation needs a terminal; --yes accepts size and licence")
	}
	if _, err := fmt.Fprint(out, "\nDownload and install it? [y/N] "); err != nil {
		return err
	}
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes", "نعم":
		return nil
	}
	return errors.New("not downloaded")
}

// downloadModel prints the files, asks for confirmation, and downloads them: with a progress bar on a terminal, else
// with a line for each tenth.
func (f hubFlags) downloadModel(
	ctx context.Context, hub *modelhub.Hub, m *modelhub.Model, folder string, out io.Writer,
) error {
	if err := describeHubModel(out, m); err != nil {
		return err
	}
	if err := confirmDownload(f.Yes, out); err != nil {
		return err
	}
	size := m.Size()
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		tenths := int64(-1)
		return hub.Download(ctx, m, folder, func(done int64) {
			if now := done * 10 / max(size, 1); now != tenths {
				tenths = now
				fmt.Fprintf(os.Stderr, "downloaded %s of %s\n", formatMegabytes(done), formatMegabytes(size))
			}
		})
	}
	bar := progressbar.NewOptions64(size, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowBytes(true),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetDescription(m.Name))
	err := hub.Download(ctx, m, folder, func(done int64) { _ = bar.Set64(done) })
	_ = bar.Finish() // a bar that can't be drawn is no failure
	return err
}

// withOfflineAdvice adds to the error of an unreachable hub how to install a model from a file.
func withOfflineAdvice(hub *modelhub.Hub, name, revision string, err error) error {
	if !isUnreachable(err) {
		return err
	}
	return fmt.Errorf(
		"%w\nTo install the model without a network: on a machine with internet access, download the .nemo file "+
			"from %s/%s/tree/%s, copy it to this machine, and run: munadi model import FILE.nemo",
		err, strings.TrimRight(hub.Base, "/"), name, cmp.Or(revision, "main"))
}

// isUnreachable reports whether the hub could not be reached.
func isUnreachable(err error) bool {
	var unreachable *modelhub.UnreachableError
	return errors.As(err, &unreachable) && !errors.Is(err, context.Canceled)
}
