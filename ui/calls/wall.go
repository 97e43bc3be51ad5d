package calls

import (
	"munadi/store/call"
	"munadi/store/jsontext"
	"munadi/ui/layout"
)

// WallPath is where the wall of running calls lies.
const WallPath = CallsPath + "/wall"

// StampForm is the form of times that scripts read.
const StampForm = jsontext.TimeForm

// WallView is the wall: all running calls side by side.
type WallView struct {
	layout.ConsolePage
	Rows      []CallRow
	Turns     map[string][]call.Message // the latest of each call by its id, oldest first
	MayListen bool
	More      bool // further calls are running
}
