package sip

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"sync/atomic"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
)

// allowed is the Allow header: the methods that we support.
const allowed = "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, NOTIFY"

// mostTries is the maximum number of sends in answer to challenges: for 401, for 407, and for a stale nonce of each.
const mostTries = 5

// errNoAnswer means that no response was received.
var errNoAnswer = errors.New("no answer from the trunk in time")

// newOutOfDialogRequest builds a request outside of a dialog, from our address of record to uri, through a server.
func (c *Carrier) newOutOfDialogRequest(method sip.RequestMethod, to, uri sip.Uri, by trunkServer) *sip.Request {
	req := sip.NewRequest(method, uri)
	from := sip.FromHeader{Address: c.trunk.userURI(c.options.From)}
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

// addCommonHeaders adds the headers of all our requests.
func (c *Carrier) addCommonHeaders(req *sip.Request) {
	most := sip.MaxForwardsHeader(70)
	req.AppendHeader(&most)
	req.AppendHeader(sip.NewHeader("User-Agent", c.options.UserAgent))
	req.SetBody(nil)
}

// sendTo sets a request's destination, transport and local address.
func (c *Carrier) sendTo(req *sip.Request, by trunkServer) {
	req.SetTransport(strings.ToUpper(c.trunk.transport))
	req.SetDestination(by.remote.String())
	if c.trunk.transport == "udp" {
		at := c.udp.LocalAddr().(*net.UDPAddr)
		req.Laddr = sip.Addr{IP: at.IP, Port: at.Port}
	}
}

// newViaHeader returns a Via with a new branch and rport (RFC 3581).
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

// newContactHeader returns the address at which the remote side reaches us.
func (c *Carrier) newContactHeader(by trunkServer) *sip.ContactHeader {
	h := &sip.ContactHeader{Address: sip.Uri{Scheme: "sip", User: c.options.From, Host: by.local.String(), Port: by.port}}
	if c.trunk.transport != "udp" {
		h.Address.UriParams.Add("transport", c.trunk.transport)
	}
	return h
}

// startTransaction sends a complete request.
func (c *Carrier) startTransaction(ctx context.Context, req *sip.Request) (sip.ClientTransaction, error) {
	tx, err := c.client.TransactionRequest(ctx, req, keepHeaders)
	if err != nil {
		return nil, transportFault(err)
	}
	return tx, nil
}

// errTransport is a transport error of unknown kind.
var errTransport = errors.New("the message to the trunk could not be sent")

// transportFault returns the cause of a sipgo error, whose own text may quote a request with its number.
func transportFault(err error) error {
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

// keepHeaders prevents sipgo from adding headers.
func keepHeaders(*sipgo.Client, *sip.Request) error { return nil }

// requestExchange is a request, as sent last, and its final response.
type requestExchange struct {
	req *sip.Request
	tx  sip.ClientTransaction // terminated, except for an INVITE: its 200 may be retransmitted
	res *sip.Response
}

// doRequest sends a request, answers digest challenges and waits for the final response. numbers is where the CSeq of a
// repeated request comes from; nil outside of a dialog: the request's own and one.
func (c *Carrier) doRequest(ctx context.Context, req *sip.Request, numbers *atomic.Uint32) (requestExchange, error) {
	var known digestProofs
	for try := 1; ; try++ {
		e, err := c.sendOnce(ctx, req)
		if err != nil || try == mostTries || !isChallenge(e.res) {
			return e, err
		}
		again, err := c.authorizeRequest(req, e.res, &known)
		if err != nil {
			return e, nil //nolint:nilerr // a challenge that can't be answered: the refusal itself says more
		}
		if req = again; numbers != nil {
			req.CSeq().SeqNo = numbers.Add(1)
		}
	}
}

func (c *Carrier) sendOnce(ctx context.Context, req *sip.Request) (requestExchange, error) {
	e := requestExchange{req: req}
	var err error
	if e.tx, err = c.startTransaction(ctx, req); err != nil {
		return e, err
	}
	if !req.IsInvite() {
		defer e.tx.Terminate()
	}
	e.res, err = awaitFinalResponse(ctx, e.tx)
	return e, err
}

// awaitFinalResponse reads the responses of a transaction until the final one.
func awaitFinalResponse(ctx context.Context, tx sip.ClientTransaction) (*sip.Response, error) {
	for {
		select {
		case res := <-tx.Responses():
			if !res.IsProvisional() {
				return res, nil
			}
		case <-tx.Done():
			return nil, transactionError(tx)
		case <-ctx.Done():
			return nil, errors.Join(errNoAnswer, ctx.Err())
		}
	}
}

// transactionError returns why a transaction ended without a final response.
func transactionError(tx sip.ClientTransaction) error {
	err := tx.Err()
	if err == nil || errors.Is(err, sip.ErrTransactionTimeout) {
		return errNoAnswer
	}
	return transportFault(err)
}

// nextRequest returns the request with the next CSeq and a new branch.
func nextRequest(req *sip.Request) *sip.Request {
	again := req.Clone()
	again.CSeq().SeqNo++
	again.Via().Params.Add("branch", newBranch())
	return again
}

// newBranch returns a branch with RFC 3261's magic cookie (§8.1.1.7).
func newBranch() string { return "z9hG4bK" + rand.Text() }
