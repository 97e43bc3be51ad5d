package modeljob

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/google/renameio/v2"

	"munadi/appliance/modelhub"
	"munadi/appliance/models/modelinstall"
)

// JobPhase is the state of an installation job.
type JobPhase string

// Phases. Fetching and Testing are active; the others are final.
const (
	Fetching  JobPhase = "fetching" // is downloaded from the hub
	Testing   JobPhase = "testing"  // is converted and tested
	Installed JobPhase = "installed"
	Failed    JobPhase = "failed"
	Cancelled JobPhase = "cancelled"
)

// Sharing is the phase of events that do not belong to a job: models are uploaded to or downloaded from the bucket.
const Sharing JobPhase = "sharing"

// IsActive reports whether the job still runs, or continues at the next start.
func (p JobPhase) IsActive() bool { return p == Fetching || p == Testing }

// InstallRequest asks for the installation of a model: one on the hub, or one on this machine.
type InstallRequest struct {
	Model       string `json:"model,omitempty"` // on the hub: ORGANIZATION/NAME, optionally @REVISION
	Path        string `json:"path,omitempty"`  // of a checkpoint or a folder on this machine; empty: Model
	Upload      bool   `json:"upload,omitempty"`
	Name        string `json:"name"` // to be installed under
	AnyLanguage bool   `json:"any_language,omitempty"`
	Int8        bool   `json:"int8,omitempty"`
	Beside      bool   `json:"beside,omitempty"` // Path is an installed model, whose 8-bit form is asked for
	Use         bool   `json:"use,omitempty"`    // the appliance switches to it once it is installed
	OrgID       string `json:"organization"`     // its audit log records the outcome
	Actor       string `json:"actor"`
}

// InstallJob is one installation and its progress.
type InstallJob struct {
	InstallRequest
	Phase    JobPhase   `json:"phase"`
	Done     int64      `json:"done_bytes"` // downloaded
	Size     int64      `json:"size_bytes"` // 0: not known yet
	Folder   string     `json:"folder,omitempty"`
	Revision string     `json:"revision,omitempty"`
	License  string     `json:"license,omitempty"`
	Fault    string     `json:"fault,omitempty"`      // why it failed
	Kind     string     `json:"fault_kind,omitempty"` // of the fault, see [KindOf]; empty: the message is complete
	Offline  bool       `json:"offline,omitempty"`
	Memory   bool       `json:"memory,omitempty"` // the fault is too little memory
	Disk     bool       `json:"disk,omitempty"`   // the fault is too little disk space
	Tests    int        `json:"tests"`            // how often Testing was started
	BegunAt  time.Time  `json:"begun_at"`
	EndedAt  *time.Time `json:"ended_at,omitempty"`
}

// readJob reads a record; nil without one, or if it is unreadable, since it can be recreated.
func readJob(path string) (*InstallJob, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	j := &InstallJob{}
	if json.Unmarshal(b, j) != nil {
		return nil, nil //nolint:nilerr // see above
	}
	return j, nil
}

// writeJob replaces the record.
func writeJob(path string, j *InstallJob) error {
	b, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	return renameio.WriteFile(path, b, 0o600)
}

// Kinds of faults in addition to those of [modelhub.FaultKind] and [modelinstall.FaultKind]. A fault of memory, of the
// disk or of repeated stops has no kind: its message is complete.
const (
	offlineKind = "offline" // the hub cannot be reached
	otherKind   = "other"
)

// KindOf returns the kind of an error of an installation, which names the sentence that a page shows.
func KindOf(err error) string {
	var unreachable *modelhub.UnreachableError
	var hub *modelhub.FaultError
	var install *modelinstall.FaultError
	var memory *MemoryFault
	var disk *DiskFault
	switch {
	case errors.As(err, &unreachable):
		return offlineKind
	case errors.As(err, &hub):
		return string(hub.Kind)
	case errors.As(err, &memory), errors.As(err, &disk), errors.Is(err, errStopped):
		return ""
	case errors.As(err, &install):
		return string(install.Kind)
	}
	return otherKind
}

// ListFaultKinds returns all kinds of faults.
func ListFaultKinds() []string {
	kinds := []string{offlineKind, otherKind}
	for _, kind := range []modelhub.FaultKind{
		modelhub.BadName, modelhub.BadRevision, modelhub.NoModel, modelhub.NoRevision, modelhub.Gated,
		modelhub.NothingToImport, modelhub.HubBusy, modelhub.HubFault, modelhub.BadChecksum, modelhub.ConnectionBroke,
	} {
		kinds = append(kinds, string(kind))
	}
	for _, kind := range []modelinstall.FaultKind{
		modelinstall.NotConvertible, modelinstall.CannotDecode, modelinstall.NotArabic, modelinstall.EightBits,
	} {
		kinds = append(kinds, string(kind))
	}
	return kinds
}
