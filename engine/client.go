package engine

import (
	"context"

	"munadi/engine/queue"
)

// ClientID identifies the client of a request for fair queuing; see [queue.ClientID].
type ClientID = queue.ClientID

type clientKey struct{}

// WithClient returns a context whose requests are accounted to the client. Requests without one share the empty client.
func WithClient(ctx context.Context, c ClientID) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// ClientOf returns the client of a request.
func ClientOf(ctx context.Context) ClientID {
	c, _ := ctx.Value(clientKey{}).(ClientID)
	return c
}
