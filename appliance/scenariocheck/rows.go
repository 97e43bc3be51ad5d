package scenariocheck

import (
	"context"
	"time"

	"munadi/store/scenario"
	"munadi/store/strictjson"
)

// rowsTime is the timeout for the lines of all rows of a campaign; the remaining ones are not checked.
const rowsTime = 10 * time.Second

// CheckRows is [ScenarioChecker.CheckBooked] for many calls of one scenario, by their variables. all concerns
// every call: lines without values. each concerns one call, in field variables. A text is checked once.
func (c *ScenarioChecker) CheckRows(
	ctx context.Context, s scenario.Scenario, rows []map[string]any,
) (all []strictjson.Violation, each [][]strictjson.Violation, err error) {
	rules, err := c.Transfers.Store.FindRules(ctx, s.OrgID)
	if err != nil {
		return nil, nil, err
	}
	fixed := fixedLines(s)
	for i := range fixed {
		fixed[i].field = "scenario_id"
	}
	if all = c.listUnspeakable(ctx, s, fixed); len(all) > 0 {
		return all, nil, nil
	}
	limited, cancel := context.WithTimeout(ctx, rowsTime)
	defer cancel()
	mute := map[string]bool{} // by text
	each = make([][]strictjson.Violation, len(rows))
	for i := 0; i < len(rows) && limited.Err() == nil; i++ {
		for _, text := range c.Texts(s, rows[i], rules) {
			if _, judged := mute[text]; !judged {
				mute[text] = c.isUnspeakable(limited, s, text)
			}
			if mute[text] {
				each[i] = append(each[i], strictjson.Violation{Field: "variables", Message: unspokenMessage(text)})
			}
		}
	}
	return nil, each, ctx.Err()
}
