package doctor

import (
	"context"
	"os"
	"path/filepath"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/installation"
	"munadi/store/blob"
)

// checkInstallation reports by what a start would be refused: a part that belongs to another installation, or a missing
// or damaged secret.
func checkInstallation(ctx context.Context, cfg *config.Config, s installation.InstallationStore) admin.CheckFinding {
	f := admin.CheckFinding{Name: "installation", State: admin.StateFailed}
	parts := installation.InstallationParts{Data: cfg.Data, SecretFile: cfg.SecretPath()}
	for _, name := range installation.RecordingFolders() {
		dir := filepath.Join(cfg.Data, name)
		if _, err := os.Stat(dir); err != nil { // opening it would create it
			continue
		}
		folder, err := blob.OpenFolder(dir)
		if err != nil {
			f.Text = err.Error()
			return f
		}
		defer func() { _ = folder.Close() }()
		parts.Recordings = append(parts.Recordings, folder)
	}
	if err := installation.CheckParts(ctx, s, parts); err != nil {
		f.Text = err.Error()
		return f
	}
	f.State, f.Text = admin.StateOK, "database, data folder, recordings and secret belong together"
	return f
}
