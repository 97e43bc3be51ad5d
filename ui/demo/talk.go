package demo

import (
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// TalkPath is the path of the page on which anybody with a key talks to a scenario.
const TalkPath = "/talk"

func (d DemoView) talkFrame() layout.PageFrame {
	frame := d.pageFrame()
	frame.Title, frame.Description, frame.Path = scenarios.TalkLink.In(d.Lang), locale.TalkLead.In(d.Lang), TalkPath
	frame.Styles = []string{
		"css/controls.css", "css/capture.css", "css/stage.css", "css/form.css", "css/console-flows.css",
		"css/console-live.css", "css/console-talk.css",
	}
	frame.Module = "js/talk-demo.js"
	return frame
}

func (d DemoView) talkRoom() scenarios.TalkRoomView {
	return scenarios.TalkRoomView{Lang: d.Lang, Line: "/api/v1/scenarios/{id}/talk"}
}
