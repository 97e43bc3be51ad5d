package appliance

import (
	"context"
	"path/filepath"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/cluster"
	"munadi/appliance/installation"
	"munadi/appliance/monitor/health"
	"munadi/appliance/recordings"
	"munadi/store"
	"munadi/store/blob"
)

// joinInstallation opens the recordings folders, checks that database, data folder, recordings and secret belong to
// the same installation, and returns its secret. Missing recordings are a warning only: calls continue without the
// old ones.
func (a *Appliance) joinInstallation() (secret auth.InstallationSecret, err error) {
	folders, err := a.openRecordings()
	if err != nil {
		return secret, installation.ExplainDataError(a.config.Data, err)
	}
	joined, err := installation.JoinInstallation(context.Background(), a.store, installation.InstallationParts{
		Data: a.config.Data, SecretFile: a.config.SecretPath(), Recordings: folders,
	}, time.Now())
	if store.CodeOf(err) == store.CodeInternal {
		return secret, installation.ExplainDataError(a.config.Data, err)
	}
	if err != nil {
		return secret, err // the error names the missing part
	}
	if len(joined.MissingRecordings) > 0 {
		warning := installation.ExplainMissing(joined.MissingRecordings)
		a.log.Error(warning)
		a.health.SetWarning("recordings", warning)
	}
	if a.bucket != nil {
		return joined.Secret, a.bucket.JoinBucket(joined.ID, a.health.SetWarning)
	}
	return joined.Secret, nil
}

// openRecordings opens the stores of recordings, and returns their folders on this disk.
func (a *Appliance) openRecordings() ([]installation.RecordingFolder, error) {
	dirs := []string{filepath.Join(a.config.Data, "recordings"), a.liveDir()}
	if a.config.KeepsElsewhere() {
		l, err := recordings.OpenBucket(a.config.Recordings, a.config.Data, dirs[0], dirs[1], a.log)
		if err != nil {
			return nil, err
		}
		a.bucket, a.recordings, a.liveRecordings = l, l.Calls, l.Live
		return []installation.RecordingFolder{l.Calls.Local(), l.Live.Local()}, nil
	}
	calls, err := blob.OpenFolder(dirs[0])
	if err != nil {
		return nil, err
	}
	sessions, err := blob.OpenFolder(dirs[1])
	if err != nil {
		return nil, err
	}
	a.recordings, a.liveRecordings = calls, sessions
	return []installation.RecordingFolder{calls, sessions}, nil
}

// openCluster connects the hubs and limits with those of the appliances that share the database.
func (a *Appliance) openCluster() {
	if a.store.Shared == nil {
		return
	}
	d := cluster.Dependencies{
		Store: a.store.Shared, Events: a.events, Sound: a.sound, Limits: a.limits, Locks: a.accounts,
		Describe: a.describeMember, FilesChanged: func() { a.shared.WakeUp(); a.bucket.WakePrompts() }, Log: a.log,
	}
	if a.config.ServesCalls() {
		d.Rescued, d.HoldsCall = a.calls.PublishRescued, a.calls.Scheduler.HoldsCall
	}
	a.cluster = cluster.NewCluster(d)
}

// describeMember returns this appliance's status for the others.
func (a *Appliance) describeMember() cluster.MemberStatus {
	_, sentence := a.health.CanDecode()
	s := cluster.MemberStatus{
		Address: a.Addr().String(), Version: a.version, Role: a.config.Role, Started: a.vitals.Started,
		Ready: a.health.Phase() == health.Ready, Health: sentence,
	}
	if a.config.ServesCalls() {
		s.Lines, s.Held = a.calls.LineLimit(), a.calls.Scheduler.HeldLines()
	}
	_, s.Queue = a.engine.QueueLoad()
	if e := a.engine.CurrentEngine(); e != nil {
		s.Model = e.ModelInfo().Name
		s.Installed, _ = a.installed.ServingName()
	}
	return s
}
