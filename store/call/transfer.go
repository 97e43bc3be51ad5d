package call

// TransferWay is how a call is connected with a person.
type TransferWay string

// The ways.
const (
	ReferWay   TransferWay = "refer"   // the trunk is asked to connect them (REFER), and the call leaves the platform
	BridgeWay  TransferWay = "bridge"  // the platform dials the person and joins both lines
	BrowserWay TransferWay = "browser" // a member of staff takes the call over in the console
)

// TransferOutcome is how an attempt to connect a call with a person ended.
type TransferOutcome string

// The outcomes.
const (
	Transferred       TransferOutcome = "transferred"
	TransferRefused   TransferOutcome = "refused"   // the person pressed 2, or rejected the call
	TransferBusy      TransferOutcome = "busy"      // on another call
	TransferNoAnswer  TransferOutcome = "no_answer" // it rang in vain, or nobody pressed a key
	TransferFailed    TransferOutcome = "failed"    // the trunk, or the line to the person
	TransferForbidden TransferOutcome = "forbidden" // by the calling rules
	TransferCancelled TransferOutcome = "cancelled" // another took the call first, or the caller hung up
)

// MaxTransfers is the maximum number of stored attempts of a call; later ones are not stored.
const MaxTransfers = 50

// CallTransfer is one attempt to connect a call with a person.
type CallTransfer struct {
	At      float64         `json:"at"`   // its beginning, in seconds from the answer of the call
	Way     TransferWay     `json:"way"`  //
	Mode    string          `json:"mode"` // blind or attended, as the scenario's step says; blind in the browser
	To      string          `json:"to"`   // E.164 number, SIP address, or in the browser the actor: user:ID
	Outcome TransferOutcome `json:"outcome"`
	// Duration is how long the person was connected, in whole seconds; nil if they were not, or after a REFER, where the
	// call has left the platform.
	Duration *int `json:"duration"`
}
