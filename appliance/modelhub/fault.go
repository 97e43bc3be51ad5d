package modelhub

import "fmt"

// FaultKind says what is wrong with a model on the hub, with its download, or with the hub.
type FaultKind string

// Kinds of faults. A hub that cannot be spoken to is an [UnreachableError].
const (
	BadName         FaultKind = "bad_name"          // not ORGANIZATION/NAME
	BadRevision     FaultKind = "bad_revision"      // no commit, branch or tag
	NoModel         FaultKind = "no_such_model"     // or a private one, which the hub does not tell apart
	NoRevision      FaultKind = "no_such_revision"  // or a file that it no longer has
	Gated           FaultKind = "gated"             // its conditions must be accepted first
	NothingToImport FaultKind = "nothing_to_import" // neither a checkpoint nor an ONNX export
	HubBusy         FaultKind = "hub_busy"          // it asks to wait
	HubFault        FaultKind = "hub_fault"         // it answers with an error, or with what cannot be right
	BadChecksum     FaultKind = "bad_checksum"      // what was downloaded is not what the hub has
	ConnectionBroke FaultKind = "connection_broke"  // again and again
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
