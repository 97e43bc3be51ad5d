package scenarios

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/tts"
	"munadi/store/scenario"
	"munadi/ui/scenarios"
)

// voiceOf returns which voice speaks a line of a scenario. A line with values is spoken by a voice that speaks any
// text, if there is one.
func (s handlers) voiceOf(c echo.Context, plan scenario.Scenario, text string) scenarios.LineVoice {
	return scenarios.LineVoice(s.Voices.FindVoice(c.Request().Context(), tts.SpeechRequest{
		OrgID: kit.RequestVisitor(c).Org.ID, Text: text, Voice: plan.Voice,
	}))
}

// neuralNames lists the installed neural voices.
func (s handlers) neuralNames() []string {
	if s.NeuralNames == nil {
		return nil
	}
	return s.NeuralNames()
}

// markVoices says of each line of a form which voice speaks it.
func (s handlers) markVoices(c echo.Context, p *scenarios.ScenarioEditor, plan scenario.Scenario) {
	if p.Voices = s.callVoices(c, plan); p.Voices == nil {
		return
	}
	p.Form.EachLine(func(line *scenarios.SpokenInput) {
		if line.Text.Value != "" {
			line.Voice = s.voiceOf(c, plan, line.Text.Value)
			line.Voiced = line.Fixed || line.Voice != scenarios.NoVoice
		}
	})
}

// callVoices returns the voices of all lines of a scenario; nil where they are not known.
func (s handlers) callVoices(c echo.Context, plan scenario.Scenario) *scenarios.CallVoices {
	if s.Voices == nil {
		return nil
	}
	voices, seen := &scenarios.CallVoices{}, map[string]bool{}
	for _, line := range plan.SpokenLines() {
		if line.Text != "" && !seen[line.Text] {
			seen[line.Text] = true
			voices.AddLine(s.voiceOf(c, plan, line.Text), line.Text, scenario.IsFixed(line.Text))
		}
	}
	return voices
}
