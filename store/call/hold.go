package call

// HoldParty is who held a call.
type HoldParty string

// The parties.
const (
	HeldByCustomer HoldParty = "customer" // the other side of the call, or its switch
	HeldByStaff    HoldParty = "staff"    // the person who took the call
)

// MaxHolds is the maximum number of stored holds of a call; later ones are not stored.
const MaxHolds = 50

// CallHold is a span during which a side of the call held it: it heard nothing of the other.
type CallHold struct {
	At       float64   `json:"at"`       // its beginning, in seconds from the answer of the call
	Duration float64   `json:"duration"` // in seconds
	By       HoldParty `json:"by"`
}
