package whole_test

import (
	"strings"
	"testing"

	"munadi/appliance/demo/browsertest"
)

// TestFormSurvivesServerDown: a form that is sent while the server is down stays with all that was typed, says what to do,
// and is saved at the next press when the server is back.
func TestFormSurvivesServerDown(t *testing.T) {
	t.Parallel()
	a := startWithOperator(t)
	p := signIn(t, browsertest.StartBrowser(t, browsertest.BrowserOptions{}), a, "en", browsertest.PageView{})
	p.ExpectText("ERR_CONNECTION_REFUSED")
	p.ExpectStatuses(503) // the stream of alerts while it starts
	p.NavigateTo(a.URL + "/console/scenarios/appointment_confirmation/edit")
	p.TypeText("#f-description", "Typed while the server went down")
	a.stopGracefully(t)
	const save = `.editor-bar [value="save-draft"]`
	p.ClickElement(save)
	p.WaitVisible("#server-unreached")
	p.CheckAccessibility()
	p.WaitText("#server-unreached", "press the button again")
	startInstance(t, instanceSettings{data: a.Data, args: []string{"--listen", strings.TrimPrefix(a.URL, "http://")}})
	p.ClickElement(save)
	p.WaitText("main", "Typed while the server went down")
	p.WaitText("main", "The draft is saved")
}
