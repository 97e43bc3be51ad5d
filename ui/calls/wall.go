package calls

import (
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
	Cards     []WallCard
	MayListen bool
	More      bool // further calls are running
}

// WallCard is one running call.
type WallCard struct {
	CallRow
	Since string // of the answer, in [StampForm]; empty while it rings
	Turns []WallTurn
}

// WallTurn is one turn of the conversation.
type WallTurn struct {
	Customer bool
	Text     string
}

func (t WallTurn) speakerRole() string {
	if t.Customer {
		return "user"
	}
	return "assistant"
}
