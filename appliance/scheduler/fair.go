package scheduler

import "munadi/store/call"

// orderFairly orders due calls by fair queuing across organizations: next is always the first call of the organization
// that would then hold the fewest lines, and among equals the earliest. due is sorted by time; held is not changed.
func orderFairly(due []call.Call, held map[string]int) []call.Call {
	queues, lines := map[string][]call.Call{}, map[string]int{}
	var orgs []string // by their earliest call
	for _, c := range due {
		if _, known := queues[c.OrgID]; !known {
			orgs = append(orgs, c.OrgID)
			lines[c.OrgID] = held[c.OrgID]
		}
		queues[c.OrgID] = append(queues[c.OrgID], c)
	}
	if len(orgs) < 2 {
		return due
	}
	order := make([]call.Call, 0, len(due))
	for len(order) < len(due) {
		best := ""
		for _, org := range orgs {
			if len(queues[org]) > 0 && (best == "" || isServedBefore(org, best, queues, lines)) {
				best = org
			}
		}
		order = append(order, queues[best][0])
		queues[best] = queues[best][1:]
		lines[best]++
	}
	return order
}

func isServedBefore(a, b string, queues map[string][]call.Call, lines map[string]int) bool {
	if lines[a] != lines[b] {
		return lines[a] < lines[b]
	}
	return queues[a][0].ScheduledAt.Before(queues[b][0].ScheduledAt)
}
