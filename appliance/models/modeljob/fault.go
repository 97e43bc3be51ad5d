package modeljob

import (
	"errors"

	"munadi/appliance/modelhub"
	"munadi/appliance/models/modelinstall"
)

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
		modelinstall.NotConvertible, modelinstall.CannotDecode, modelinstall.NotArabic,
	} {
		kinds = append(kinds, string(kind))
	}
	return kinds
}
