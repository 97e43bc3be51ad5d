package records

import (
	"context"

	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/record"
)

// callTraces are beside the calls, so that reading a call stays cheap.
var callTraces = declareKind[call.LineTrace](driver.Table{
	Kind: "call-trace", Name: "call_traces", Key: []string{"org", "call"},
}, nil, nil)

// keepTrace stores the line trace of a call that ends; none of one that was erased while it ran.
func keepTrace(tx driver.Tx, r *record.CallRecord, trace *call.LineTrace) error {
	if trace == nil || trace.IsEmpty() || r.Call.ErasedAt != nil {
		return nil
	}
	r.Traced = true
	return callTraces.put(tx, *trace, r.Call.OrgID, r.Call.ID)
}

// FindTrace implements [store.CallStore].
func (s *Records) FindTrace(ctx context.Context, orgID, id string) (trace call.LineTrace, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		r, err := calls.need(tx, partOf(orgID, id), id)
		if err != nil || !r.Traced {
			return err
		}
		trace, _, err = callTraces.find(tx, orgID, id)
		return err
	})
	return trace, err
}
