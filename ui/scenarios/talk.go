package scenarios

import (
	"munadi/store/scenario"
	"munadi/ui/layout"
)

// TalkView is the page on which a scenario is tried by voice.
type TalkView struct {
	layout.ConsolePage
	Plan      scenario.Scenario
	Draft     bool
	Line      string // address of the WebSocket
	Variables []ScenarioVariable
}

// telephoneKeys are the keys of a telephone, in their order.
func telephoneKeys() []string {
	return []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"}
}
