package engine

import "context"

// Client is who a request is made for. Decoding time is shared by organization, then by key.
type Client struct {
	Organization string
	Key          string // id of an API key, or of a person; empty for the organization's own calls and jobs
}

type clientKey struct{}

// WithClient returns a context whose requests are counted as the client's. Without one they count as those of a client
// of their own, the empty one.
func WithClient(ctx context.Context, c Client) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// ClientOf is the client of a request.
func ClientOf(ctx context.Context) Client {
	c, _ := ctx.Value(clientKey{}).(Client)
	return c
}
