package sip

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
)

// answerTo takes the requests of the other side.
func (c *Carrier) answerTo(server *sipgo.Server) {
	inside := map[sip.RequestMethod]func(*dialog, *sip.Request, sip.ServerTransaction){
		sip.BYE: (*dialog).onBye, sip.INVITE: (*dialog).onInvite, sip.UPDATE: (*dialog).onUpdate,
		sip.INFO: (*dialog).onInfo, sip.NOTIFY: (*dialog).onNotify,
	}
	for method, take := range inside {
		server.OnRequest(method, c.guarded(func(req *sip.Request, tx sip.ServerTransaction) {
			d := c.dialogs.of(req)
			switch {
			case d == nil:
				c.stray(req, tx)
			case !d.inOrder(req):
				respond(req, tx, 500, "Server Internal Error")
			case !understood(req, tx):
			default:
				take(d, req, tx)
			}
		}))
	}
	server.OnAck(c.guarded(func(req *sip.Request, _ sip.ServerTransaction) {
		if d := c.dialogs.of(req); d != nil {
			select {
			case d.acks <- req:
			default: // nobody waits for it
			}
		}
	}))
	server.OnOptions(c.guarded(func(req *sip.Request, tx sip.ServerTransaction) {
		if !understood(req, tx) {
			return
		}
		respond(req, tx, 200, "OK", sip.NewHeader("Accept", "application/sdp"))
	}))
	server.OnCancel(c.guarded(func(req *sip.Request, tx sip.ServerTransaction) {
		respond(req, tx, 481, "Call/Transaction Does Not Exist")
	}))
	server.OnNoRoute(c.guarded(func(req *sip.Request, tx sip.ServerTransaction) {
		respond(req, tx, 405, "Method Not Allowed")
	}))
}

// guarded is a handler whose breakdown is its own.
func (c *Carrier) guarded(take sipgo.RequestHandler) sipgo.RequestHandler {
	return func(req *sip.Request, tx sip.ServerTransaction) { c.survive(func() { take(req, tx) }) }
}

// stray answers what belongs to no call of ours. We take no calls.
func (c *Carrier) stray(req *sip.Request, tx sip.ServerTransaction) {
	if to := req.To(); req.IsInvite() && (to == nil || !to.Params.Has("tag")) {
		respond(req, tx, 480, "Temporarily Unavailable")
		return
	}
	respond(req, tx, 481, "Call/Transaction Does Not Exist")
}

// respond answers a request; a failure of the transport is the asker's to notice.
func respond(req *sip.Request, tx sip.ServerTransaction, status int, reason string, headers ...sip.Header) {
	_ = tx.Respond(response(req, status, reason, headers...))
}

func response(req *sip.Request, status int, reason string, headers ...sip.Header) *sip.Response {
	res := sip.NewResponseFromRequest(req, status, reason, nil)
	if status == 200 || status == 405 {
		res.AppendHeader(sip.NewHeader("Allow", allowed))
	}
	for _, h := range headers {
		res.AppendHeader(h)
	}
	return res
}

// inOrder keeps the numbers of the other side's requests rising (RFC 3261 §12.2.2).
func (d *dialog) inOrder(req *sip.Request) bool {
	number := int64(req.CSeq().SeqNo)
	d.mu.Lock()
	defer d.mu.Unlock()
	if number <= d.theirs {
		return false
	}
	d.theirs = number
	return true
}

// onBye ends the call.
func (d *dialog) onBye(req *sip.Request, tx sip.ServerTransaction) {
	respond(req, tx, 200, "OK")
	if cause := q850(req); cause != nil {
		d.log.Info("the other side hung up", "sip_call_id", d.callID, "q850", *cause)
	}
	d.hungUp()
}

// onInfo takes keys: application/dtmf-relay ("Signal=5"), or application/dtmf with the key alone.
func (d *dialog) onInfo(req *sip.Request, tx sip.ServerTransaction) {
	kind := strings.ToLower(headerOf(req, "Content-Type"))
	if !strings.HasPrefix(kind, "application/dtmf") { // without a body it is a sign of life
		respond(req, tx, 200, "OK")
		return
	}
	d.sound.Press(parseKey(req.Body()))
	respond(req, tx, 200, "OK")
}

// parseKey is the key in the body of an INFO; empty without one.
func parseKey(body []byte) string {
	text := strings.TrimSpace(string(body))
	for lines := bufio.NewScanner(bytes.NewReader(body)); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), "="); ok && strings.EqualFold(strings.TrimSpace(name), "signal") {
			text = strings.TrimSpace(value)
		}
	}
	switch text {
	case "10":
		return "*"
	case "11":
		return "#"
	}
	text = strings.ToUpper(text)
	if len(text) != 1 || !strings.Contains("0123456789*#ABCD", text) {
		return ""
	}
	return text
}
