package kit

import (
	"net/url"

	"munadi/store/call"
	"munadi/ui/calls"
)

// DisplayStatus returns the status that lists show: the call's, or that staff ended it.
func DisplayStatus(c call.Call) string {
	if c.EndedBy == call.ByOperator && (c.Status == call.Completed || c.Status == call.Failed) {
		return calls.StoppedCalls
	}
	return string(c.Status)
}

// CallsURL returns the URL of a list of calls with a filter, at a cursor.
func CallsURL(path string, f calls.CallsFilter, cursor string) string {
	q := CallsQuery(f, cursor)
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// CallsQuery returns the query of a list.
func CallsQuery(f calls.CallsFilter, cursor string) url.Values {
	q := url.Values{}
	for name, value := range map[string]string{
		"status": f.Status, "scenario": f.Scenario, "campaign": f.Campaign, "number": f.Number, "from": f.From, "to": f.To,
		"slot": f.Slot, "answer": f.Answer, "order": f.Order, "said": f.Said, "cursor": cursor,
		"direction": f.Direction,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}
