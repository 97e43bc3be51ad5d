package sip

import (
	"context"
	"errors"
	"strings"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
)

// Dial calls a number over the trunk: by its next address where one is silent.
func (c *Carrier) Dial(ctx context.Context, r carrier.Request) (carrier.Line, error) {
	if err := c.pace.wait(ctx); err != nil {
		return nil, err
	}
	defer c.watch.dialled()
	servers, err := c.servers(ctx)
	if err != nil {
		return nil, c.silent(ctx, err)
	}
	for _, by := range servers {
		var line *line
		var settled bool
		switch line, settled, err = c.invite(ctx, by, r); {
		case err == nil:
			return line, nil
		case settled:
			return nil, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
	return nil, c.silent(ctx, err)
}

// silent is the refusal of a trunk that gave no answer at all.
func (c *Carrier) silent(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.watch.doubt()
	if refused := (*carrier.Refusal)(nil); errors.As(err, &refused) {
		return err
	}
	return &carrier.Refusal{Err: err}
}

// invite calls by one server; settled says that no other need be tried: it answered something, or the fault is ours.
func (c *Carrier) invite(ctx context.Context, by server, r carrier.Request) (l *line, settled bool, err error) {
	sound, err := media.Open(c.options.Listen.Addr(), c.options.Ports)
	if err != nil {
		return nil, true, err
	}
	i := &invitation{Carrier: c, request: r, by: by, sound: sound}
	if l, err = i.call(ctx); err != nil {
		sound.End(err)
	}
	if ctx.Err() == nil {
		c.reach.called(by.remote, i.heard)
	}
	return l, i.heard, err
}

// dialled is a number as the trunk wants it.
func (c *Carrier) dialled(number string) string {
	if rest, ok := strings.CutPrefix(number, "+"); ok {
		return c.options.Plus + rest
	}
	return number
}
