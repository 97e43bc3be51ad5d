package browsertest

import (
	"encoding/json"
	"os"
	"strings"
)

// AxeFile is where packaging/setup installs axe-core (npm axe-core, MPL-2.0: only for tests, never shipped), relative
// to the module's root.
const AxeFile = ".cache/node/node_modules/axe-core/axe.min.js"

// CheckAccessibility runs axe-core's WCAG 2.2 A and AA rules and best practices on the current page, and fails the test
// for each violation. Without axe-core it is skipped with a message; under CI=true it fails.
func (p *BrowserPage) CheckAccessibility() {
	p.t.Helper()
	p.runAxe("{" + onlyViolations + "}")
}

// CheckColours runs only CheckAccessibility's rules about colours, for a page that was checked in the other theme.
func (p *BrowserPage) CheckColours() {
	p.t.Helper()
	p.runAxe("{" + onlyViolations + `, runOnly: {type: "rule", values: ["color-contrast", "link-in-text-block"]}}`)
}

// onlyViolations leaves out the descriptions of nodes that pass, which take half of axe-core's time.
const onlyViolations = `resultTypes: ["violations"]`

func (p *BrowserPage) runAxe(options string) {
	p.t.Helper()
	source, err := os.ReadFile(projectFile(p.t, AxeFile))
	if err != nil {
		if os.Getenv("CI") == "true" {
			p.t.Fatalf("no axe-core: %v", err)
		}
		p.t.Logf("accessibility not checked, there is no %s (packaging/setup fetches it)", AxeFile)
		return
	}
	p.WaitFor(`document.readyState === "complete"`) // an element may be there before its text is
	if !EvalExpression[bool](p, `typeof axe === "object"`) {
		EvalExpression[bool](p, string(source)+"; true")
	}
	report := EvalExpression[string](p, `axe.run(document, `+options+`)
	.then((r) => JSON.stringify(r.violations.map((v) => ({
		rule: v.id, help: v.help, nodes: v.nodes.map((n) => n.target.join(" ") + ": " + n.failureSummary),
	}))))`)
	var violations []struct {
		Rule, Help string
		Nodes      []string
	}
	if err := json.Unmarshal([]byte(report), &violations); err != nil {
		p.t.Fatal(err)
	}
	for _, v := range violations {
		p.t.Errorf("axe %s: %s\n  %s", v.Rule, v.Help, strings.Join(v.Nodes, "\n  "))
	}
}
