package store

import (
	"context"
	"time"

	"munadi/store/call"
	"munadi/store/inbound"
)

// InboundStore stores the organizations' settings of inbound calls, and the calls that come in.
type InboundStore interface {
	// FindInbound returns an organization's settings; the zero ones when it never set any.
	FindInbound(ctx context.Context, orgID string) (inbound.Settings, error)
	// ChangeInbound is a read-modify-write of the settings in one transaction, so that no concurrent change is lost;
	// change may be called again, and its error is returned unchanged. An [*inbound.TakenError] names the routes that
	// overlap another organization's. CodeNotFound without the organization. Audit entry: inbound.put, with the number
	// of routes.
	ChangeInbound(
		ctx context.Context, orgID, actor string, now time.Time, change func(*inbound.Settings) error,
	) (inbound.Settings, error)
	// FindRoute returns the most specific route of a called number, an exact one before the longest prefix, and its
	// organization. CodeNotFound without one.
	FindRoute(ctx context.Context, called string) (InboundMatch, error)
	// FindLastDial returns the latest call that an organization dialled to a number, not before since, call-backs by
	// staff left out, which have no scenario. CodeNotFound without one.
	FindLastDial(ctx context.Context, orgID, number string, since time.Time) (call.Call, error)
	// FindFollowed returns what an inbound call continues; nil for one that follows no call, or whose previous call was
	// deleted. Earlier calls of its caller are found by number, so not those of a person who was erased.
	FindFollowed(ctx context.Context, c call.Call) (*call.FollowedCall, error)
	// ReceiveCall adds a call of [call.NewInbound], which is running at once and belongs to this appliance. The retry
	// that is booked for its previous call is cancelled in the same transaction; one that is dialled already goes on. In
	// the campaign of the previous call it is a further call to the person, whose booked call is cancelled, too. An
	// erased previous call is forgotten. CodeConflict when the route, or the organization by its rules, has no line free.
	ReceiveCall(ctx context.Context, c call.Call, how Reception, now time.Time) (call.Call, error)
}

// Reception is how an inbound call is taken.
type Reception struct {
	Lines *int // limit of the route's calls at once; nil: none
	// Closed means that the caller hears the closed line and is asked nothing: what is booked for them stays, and no
	// campaign counts the call.
	Closed bool
}

// InboundMatch is the route of a called number.
type InboundMatch struct {
	OrgID    string
	Route    inbound.Route
	Settings inbound.Settings // of the organization
}
