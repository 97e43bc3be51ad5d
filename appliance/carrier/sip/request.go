package sip

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"net"
	"strings"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
)

// allowed are the methods that we understand.
const allowed = "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, NOTIFY"

// mostTries is how often a request is sent in answer to challenges: for 401, for 407, and for a nonce of each that is
// used up meanwhile.
const mostTries = 5

// errNoAnswer means that nothing came back.
var errNoAnswer = errors.New("no answer from the trunk in time")

// newOutOfDialogRequest makes a request that belongs to no dialog yet, from our address of record to uri, by way of a server.
func (c *Carrier) newOutOfDialogRequest(method sip.RequestMethod, to, uri sip.Uri, by trunkServer) *sip.Request {
	req := sip.NewRequest(method, uri)
	from := sip.FromHeader{Address: c.trunk.trunkURI(c.options.From)}
	from.Address.UriParams, from.Address.Port = nil, 0
	from.Params.Add("tag", rand.Text())
	to.UriParams, to.Port = nil, 0
	callID := sip.CallIDHeader(rand.Text())
	req.AppendHeader(c.newViaHeader(by))
	req.AppendHeader(&from)
	req.AppendHeader(&sip.ToHeader{Address: to})
	req.AppendHeader(&callID)
	req.AppendHeader(&sip.CSeqHeader{SeqNo: 1, MethodName: method})
	c.addCommonHeaders(req)
	c.sendTo(req, by)
	return req
}

// addCommonHeaders adds what every request of ours has.
func (c *Carrier) addCommonHeaders(req *sip.Request) {
	most := sip.MaxForwardsHeader(70)
	req.AppendHeader(&most)
	req.AppendHeader(sip.NewHeader("User-Agent", c.options.UserAgent))
	req.SetBody(nil)
}

// sendTo has a request go to a server from the right socket.
func (c *Carrier) sendTo(req *sip.Request, by trunkServer) {
	req.SetTransport(strings.ToUpper(c.trunk.transport))
	req.SetDestination(by.remote.String())
	if c.trunk.transport == "udp" {
		at := c.udp.LocalAddr().(*net.UDPAddr)
		req.Laddr = sip.Addr{IP: at.IP, Port: at.Port}
	}
}

// newViaHeader is a hop of its own branch; rport asks for answers to where they come from (RFC 3581).
func (c *Carrier) newViaHeader(by trunkServer) *sip.ViaHeader {
	v := &sip.ViaHeader{
		ProtocolName: "SIP", ProtocolVersion: "2.0", Transport: strings.ToUpper(c.trunk.transport),
		Host: by.local.String(), Port: by.port,
	}
	v.Params.Add("branch", newBranch())
	if c.trunk.transport == "udp" {
		v.Params.Add("rport", "")
	}
	return v
}

func (c *Carrier) localPort() int { return int(addrPort(c.udp.LocalAddr()).Port()) }

// newContactHeader is where requests of the other side reach us.
func (c *Carrier) newContactHeader(by trunkServer) *sip.ContactHeader {
	h := &sip.ContactHeader{Address: sip.Uri{
		Scheme: "sip", User: c.options.From, Host: by.local.String(), Port: by.port,
	}}
	if c.trunk.transport != "udp" {
		h.Address.UriParams.Add("transport", c.trunk.transport)
	}
	return h
}

// startTransaction sends a request that is whole.
func (c *Carrier) startTransaction(ctx context.Context, req *sip.Request) (sip.ClientTransaction, error) {
	tx, err := c.client.TransactionRequest(ctx, req, asItIs)
	if err != nil {
		return nil, faultOf(err)
	}
	return tx, nil
}

// errTransport is a failure to send of no kind that we know.
var errTransport = errors.New("the message to the trunk could not be sent")

// faultOf is what lies behind an error of sipgo, whose text may quote a request, number and all.
func faultOf(err error) error {
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		network     *net.OpError
	)
	switch {
	case errors.As(err, &name):
		return name
	case errors.As(err, &certificate):
		return certificate
	case errors.As(err, &network):
		return network
	case errors.Is(err, context.DeadlineExceeded):
		return context.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		return context.Canceled
	default:
		return errTransport
	}
}

// asItIs keeps sipgo from adding headers.
func asItIs(*sipgo.Client, *sip.Request) error { return nil }

// requestExchange is a request, as it was sent last, and its final answer.
type requestExchange struct {
	req *sip.Request
	tx  sip.ClientTransaction // over, but for an INVITE: its answer may come again
	res *sip.Response
}

// doRequest sends a request and waits for its final answer; challenges are answered.
func (c *Carrier) doRequest(ctx context.Context, req *sip.Request) (requestExchange, error) {
	var known digestProofs
	for try := 1; ; try++ {
		e, err := c.doOnce(ctx, req)
		if err != nil || try == mostTries || !isChallenge(e.res) {
			return e, err
		}
		again, err := c.authorizeRequest(req, e.res, &known)
		if err != nil {
			return e, nil //nolint:nilerr // a challenge that can't be answered: the refusal itself says more
		}
		req = again
	}
}

func (c *Carrier) doOnce(ctx context.Context, req *sip.Request) (requestExchange, error) {
	e := requestExchange{req: req}
	var err error
	if e.tx, err = c.startTransaction(ctx, req); err != nil {
		return e, err
	}
	if !req.IsInvite() {
		defer e.tx.Terminate()
	}
	for {
		select {
		case res := <-e.tx.Responses():
			if !res.IsProvisional() {
				e.res = res
				return e, nil
			}
		case <-e.tx.Done():
			return e, transactionError(e.tx)
		case <-ctx.Done():
			return e, errors.Join(errNoAnswer, ctx.Err())
		}
	}
}

// transactionError says why a transaction is over without a final answer.
func transactionError(tx sip.ClientTransaction) error {
	err := tx.Err()
	if err == nil || errors.Is(err, sip.ErrTransactionTimeout) {
		return errNoAnswer
	}
	return faultOf(err)
}

// nextRequest is the request once more: the next of its dialog, in a transaction of its own.
func nextRequest(req *sip.Request) *sip.Request {
	again := req.Clone()
	again.CSeq().SeqNo++
	again.Via().Params.Add("branch", newBranch())
	return again
}

// newBranch starts with RFC 3261's magic cookie (§8.1.1.7).
func newBranch() string { return "z9hG4bK" + rand.Text() }
