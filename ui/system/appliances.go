package system

import "time"

// ApplianceRow is one of several appliances that share a database.
type ApplianceRow struct {
	Name, Address  string
	Here           bool // it is the one that shows the page
	State          string
	StateText      string
	Note           string // the fault; empty: none
	Role, Version  string
	Model          string
	Lines          string // in use, of how many
	Queue          string
	Started, Heard time.Time
}
