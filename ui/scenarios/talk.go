package scenarios

import (
	"munadi/store/scenario"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// TalkView is the page on which a scenario is tried by voice.
type TalkView struct {
	layout.ConsolePage
	Plan      scenario.Scenario
	Draft     bool
	Line      string // address of the WebSocket
	Variables []ScenarioVariable
	Rings     bool   // a trial at a telephone is possible
	Phone     string // the visitor's extension; empty: none is set
}

// TalkRoomView is the room of a conversation by voice. Without a plan the script fills in steps and slots.
type TalkRoomView struct {
	Lang locale.Language
	Plan scenario.Scenario
	Line string // address of the WebSocket
	Kept bool   // whether the visitor may open what is kept in the console
}

// telephoneKeys are the keys of a telephone, in their order.
func telephoneKeys() []string {
	return []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"}
}
