package admin

import (
	"context"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
)

// findTrace finds the line trace of a call of any organization.
func (l *LocalAdmin) findTrace(ctx context.Context, callID string) (call.LineTrace, error) {
	orgs, err := l.store.ListOrganizations(ctx)
	if err != nil {
		return call.LineTrace{}, err
	}
	for _, o := range orgs {
		trace, err := l.store.FindTrace(ctx, o.ID, callID)
		if store.CodeOf(err) != store.CodeNotFound {
			return trace, err
		}
	}
	return call.LineTrace{}, record.NoCall(callID)
}
