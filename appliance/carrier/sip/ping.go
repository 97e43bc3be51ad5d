package sip

import (
	"context"
	"errors"
	"time"

	"github.com/emiago/sipgo/sip"
)

// Check asks the trunk for a sign of life (OPTIONS), all its servers at once: the first answer counts, and any answer
// is one. What the others say is awaited aside.
func (c *Carrier) Check(ctx context.Context) (Answer, error) {
	servers, err := c.servers(ctx)
	if err != nil {
		return Answer{}, err
	}
	signs := make(chan sign, len(servers))
	for _, by := range servers {
		c.aside(func() { signs <- c.sign(by) })
	}
	for range servers {
		select {
		case s := <-signs:
			if s.err == nil {
				return s.Answer, nil
			}
			err = s.err
		case <-ctx.Done():
			return Answer{}, errors.Join(errNoAnswer, ctx.Err())
		}
	}
	return Answer{}, err
}

// sign is what came of asking one server for a sign of life.
type sign struct {
	Answer
	err error
}

func (c *Carrier) sign(by server) sign {
	ctx, cancel := context.WithTimeout(c.life, patience)
	defer cancel()
	answer, err := c.ping(ctx, by)
	c.reach.pinged(by.remote, err)
	return sign{answer, err}
}

// ping asks one server by OPTIONS, and where the trunk is down and has never answered those, by a REGISTER too.
func (c *Carrier) ping(ctx context.Context, by server) (Answer, error) {
	by, err := c.connect(ctx, by)
	if err != nil {
		return Answer{}, err
	}
	if !c.watch.isDeaf() {
		return c.askOnce(ctx, c.optionsRequest(by), by)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	signs := make(chan sign, 2)
	for _, req := range []*sip.Request{c.optionsRequest(by), c.bindingsRequest(by)} {
		c.aside(func() {
			answer, err := c.askOnce(ctx, req, by)
			signs <- sign{answer, err}
		})
	}
	first := <-signs
	if first.err != nil {
		first = <-signs
	}
	return first.Answer, first.err
}

// isDeaf says whether the trunk is down and has answered no sign of life yet.
func (w *watch) isDeaf() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.up && !w.pingable
}

// optionsRequest asks what a server can do.
func (c *Carrier) optionsRequest(by server) *sip.Request {
	whole := c.trunk.uri("")
	req := c.outside(sip.OPTIONS, whole, whole, by)
	req.AppendHeader(c.contact(by))
	req.AppendHeader(sip.NewHeader("Accept", "application/sdp"))
	return req
}

// bindingsRequest asks where we are registered: a REGISTER without Contact changes nothing (RFC 3261 §10.2.3).
func (c *Carrier) bindingsRequest(by server) *sip.Request {
	us := c.trunk.uri(c.options.From)
	return c.outside(sip.REGISTER, us, c.trunk.uri(""), by)
}

// askOnce sends a request to a server; any answer is a sign of life.
func (c *Carrier) askOnce(ctx context.Context, req *sip.Request, by server) (Answer, error) {
	began := time.Now()
	e, err := c.once(ctx, req)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{
		Status: e.res.StatusCode, Took: time.Since(began), Address: by.remote.String() + " over " + req.Transport(),
	}
	for _, name := range []string{"Server", "User-Agent"} {
		if a.Server == "" {
			a.Server = headerOf(e.res, name)
		}
	}
	return a, nil
}

// Register registers once, for whoever wants to know whether it works; nothing without Options.Register.
func (c *Carrier) Register(ctx context.Context) error {
	if !c.options.Register {
		return nil
	}
	_, err := c.registerOnce(ctx, time.Minute)
	return err
}
