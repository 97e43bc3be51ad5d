package service

import (
	"context"

	"munadi/store"
	"munadi/store/phonenumber"
)

// CallerSimulator lets a simulated person call a number, and returns the SIP status of the refusal that they hear; 0
// when it rings.
type CallerSimulator func(ctx context.Context, from, to string) (refused int, err error)

// SimulateCaller lets a simulated person call one of the organization's routed numbers; an empty number of theirs is
// withheld. It returns the SIP status of a refusal, 0 without one. A [*ConflictError] where real telephones ring.
func (u *UseCases) SimulateCaller(
	ctx context.Context, who Caller, from, to string, found FieldViolations,
) (refused int, err error) {
	if u.CallIn == nil {
		return 0, &ConflictError{
			Reason: StateForbidden, Message: "There is no simulator here: call the number from a telephone",
		}
	}
	if from != "" && !phonenumber.IsE164(from) {
		found.AddViolation("from", "%s", InvalidNumber)
	}
	if !phonenumber.IsE164(to) {
		found.AddViolation("to", "%s", InvalidNumber)
	} else {
		match, err := u.Store.FindRoute(ctx, to)
		if err != nil && store.CodeOf(err) != store.CodeNotFound {
			return 0, err
		}
		if err != nil || match.OrgID != who.OrgID {
			found.AddViolation("to", "is not routed by this organization: PUT /inbound adds a route")
		}
	}
	if err := violationError(found...); err != nil {
		return 0, err
	}
	return u.CallIn(ctx, from, to)
}
