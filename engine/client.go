package engine

import "context"

// ClientID identifies the client of a request for fair queuing: decoding time is shared by organization, then by key.
type ClientID struct {
	Organization string
	Key          string // id of an API key or user; empty for the organization's own calls and jobs
}

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
