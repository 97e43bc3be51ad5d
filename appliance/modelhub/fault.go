package modelhub

import "fmt"

// FaultKind is the kind of a fault of a model on the hub, of its download, or of the hub.
type FaultKind string

// Kinds of faults. A hub that cannot be reached is an [UnreachableError].
const (
	BadName         FaultKind = "bad_name"          // not ORGANIZATION/NAME
	BadRevision     FaultKind = "bad_revision"      // no commit, branch or tag
	NoModel         FaultKind = "no_such_model"     // or a private one, which the hub does not distinguish
	NoRevision      FaultKind = "no_such_revision"  // or a file that it no longer has
	Gated           FaultKind = "gated"             // its conditions must be accepted first
	NothingToImport FaultKind = "nothing_to_import" // neither a checkpoint nor an ONNX export
	HubBusy         FaultKind = "hub_busy"          // it requests a wait (Retry-After)
	HubFault        FaultKind = "hub_fault"         // an error response, or an invalid one
	BadChecksum     FaultKind = "bad_checksum"      // the downloaded file differs from the hub's
	ConnectionBroke FaultKind = "connection_broke"  // repeatedly interrupted
)

// FaultError is an error with its kind; its text is that of Err.
type FaultError struct {
	Kind FaultKind
	Err  error
}

func (e *FaultError) Error() string { return e.Err.Error() }

func (e *FaultError) Unwrap() error { return e.Err }

func newFault(kind FaultKind, format string, args ...any) error {
	return &FaultError{kind, fmt.Errorf(format, args...)}
}
