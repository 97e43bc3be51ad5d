package engine

import "context"

// ClientID is who a request is made for. Decoding time is shared by organization, then by key.
type ClientID struct {
	Organization string
	Key          string // id of an API key, or of a person; empty for the organization's own calls and jobs
}

type clientKey struct{}

// WithClient returns a context whose requests are counted as the client's. Without one they count as those of a client
// of their own, the empty one.
func WithClient(ctx context.Context, c ClientID) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// ClientOf is the client of a request.
func ClientOf(ctx context.Context) ClientID {
	c, _ := ctx.Value(clientKey{}).(ClientID)
	return c
}
