package appliance

import (
	"context"
	"path/filepath"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/installation"
	"munadi/store"
	"munadi/store/blob"
)

// joinInstallation opens the recordings folders, checks that database, data folder, recordings and secret belong to
// the same installation, and returns its secret. Missing recordings are a warning only: calls continue without the
// old ones.
func (a *Appliance) joinInstallation() (secret auth.InstallationSecret, err error) {
	c := &a.calls
	if c.recordings, err = blob.OpenFolder(filepath.Join(a.config.Data, "recordings")); err != nil {
		return secret, installation.ExplainDataError(a.config.Data, err)
	}
	if c.live, err = blob.OpenFolder(a.liveDir()); err != nil {
		return secret, installation.ExplainDataError(a.config.Data, err)
	}
	joined, err := installation.JoinInstallation(context.Background(), a.store, installation.InstallationParts{
		Data: a.config.Data, SecretFile: a.config.SecretPath(),
		Recordings: []installation.RecordingFolder{c.recordings, c.live},
	}, time.Now())
	if store.CodeOf(err) == store.CodeInternal {
		return secret, installation.ExplainDataError(a.config.Data, err)
	}
	if err != nil {
		return secret, err // the error names what is missing
	}
	if len(joined.MissingRecordings) > 0 {
		told := installation.ExplainMissing(joined.MissingRecordings)
		a.log.Error(told)
		a.health.SetWarning("recordings", told)
	}
	return joined.Secret, nil
}
