package sip

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
)

// answerTo registers the handlers of incoming requests.
func (c *Carrier) answerTo(server *sipgo.Server) {
	inside := map[sip.RequestMethod]func(*inviteDialog, *sip.Request, sip.ServerTransaction){
		sip.BYE: (*inviteDialog).onBye, sip.INVITE: (*inviteDialog).onInvite, sip.UPDATE: (*inviteDialog).onUpdate,
		sip.INFO: (*inviteDialog).onInfo, sip.NOTIFY: (*inviteDialog).onNotify,
	}
	for method, take := range inside {
		server.OnRequest(method, c.recoverHandler(func(req *sip.Request, tx sip.ServerTransaction) {
			switch d := c.dialogOf(req); {
			case d == nil:
				c.answerStray(req, tx)
			case !d.acceptsCSeq(req):
				sendResponse(req, tx, 500, "Server Internal Error")
			case !isUnderstood(req, tx):
			default:
				take(d, req, tx)
			}
		}))
	}
	server.OnAck(c.recoverHandler(func(req *sip.Request, _ sip.ServerTransaction) {
		if d := c.dialogs.findDialog(req); d != nil {
			select {
			case d.acks <- req:
			default: // no one is waiting
			}
		}
	}))
	server.OnOptions(c.recoverHandler(func(req *sip.Request, tx sip.ServerTransaction) {
		if !c.isOfLivingDialog(req, tx) || !isUnderstood(req, tx) {
			return
		}
		sendResponse(req, tx, 200, "OK", sip.NewHeader("Accept", "application/sdp"))
	}))
	server.OnCancel(c.recoverHandler(func(req *sip.Request, tx sip.ServerTransaction) {
		sendResponse(req, tx, 481, "Call/Transaction Does Not Exist")
	}))
	server.OnNoRoute(c.recoverHandler(func(req *sip.Request, tx sip.ServerTransaction) {
		sendResponse(req, tx, 405, "Method Not Allowed")
	}))
}

// dialogOf returns the dialog of a request; nil without one. Keys and the like do not wait for an answer: they would
// count as pressed after it.
func (c *Carrier) dialogOf(req *sip.Request) *inviteDialog {
	switch req.Method {
	case sip.BYE, sip.INVITE, sip.UPDATE:
		return c.dialogs.awaitDialog(c.life, req)
	}
	return c.dialogs.findDialog(req)
}

// isOfLivingDialog reports whether a request is outside of dialogs or of one that exists, and otherwise answers it: by
// OPTIONS trunks ask whether a call is still up.
func (c *Carrier) isOfLivingDialog(req *sip.Request, tx sip.ServerTransaction) bool {
	if to := req.To(); to == nil || !to.Params.Has("tag") {
		return true
	}
	switch d := c.dialogs.findDialog(req); {
	case d == nil:
		sendResponse(req, tx, 481, "Call/Transaction Does Not Exist")
	case !d.acceptsCSeq(req):
		sendResponse(req, tx, 500, "Server Internal Error")
	default:
		return true
	}
	return false
}

// recoverHandler wraps a handler with panic recovery. Requests that come while the carrier is closed are dropped.
func (c *Carrier) recoverHandler(take sipgo.RequestHandler) sipgo.RequestHandler {
	return func(req *sip.Request, tx sip.ServerTransaction) {
		c.serving.RLock()
		defer c.serving.RUnlock()
		if c.life.Err() == nil {
			c.recoverPanic(func() { take(req, tx) })
		}
	}
}

// answerStray answers requests outside of our dialogs.
func (c *Carrier) answerStray(req *sip.Request, tx sip.ServerTransaction) {
	if to := req.To(); req.IsInvite() && (to == nil || !to.Params.Has("tag")) {
		c.onNewInvite(req, tx)
		return
	}
	if in := c.ringing.find(req); in != nil && req.Method == sip.BYE {
		in.onBye(req, tx)
		return
	}
	sendResponse(req, tx, 481, "Call/Transaction Does Not Exist")
}

// sendResponse answers a request; transport errors are ignored, since the sender retransmits.
func sendResponse(req *sip.Request, tx sip.ServerTransaction, status int, reason string, headers ...sip.Header) {
	_ = tx.Respond(newResponse(req, status, reason, headers...))
}

func newResponse(req *sip.Request, status int, reason string, headers ...sip.Header) *sip.Response {
	res := sip.NewResponseFromRequest(req, status, reason, nil)
	if status == 200 || status == 405 {
		res.AppendHeader(sip.NewHeader("Allow", allowed))
	}
	for _, h := range headers {
		res.AppendHeader(h)
	}
	return res
}

// acceptsCSeq checks that the CSeq of the remote side's requests increases (RFC 3261 §12.2.2).
func (d *inviteDialog) acceptsCSeq(req *sip.Request) bool {
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
func (d *inviteDialog) onBye(req *sip.Request, tx sip.ServerTransaction) {
	sendResponse(req, tx, 200, "OK")
	if cause := q850Cause(req); cause != nil {
		d.log.Info("the other side hung up", "sip_call_id", d.callID, "q850", *cause)
	}
	d.endByRemote()
}

// onInfo handles DTMF by INFO: application/dtmf-relay ("Signal=5"), or application/dtmf with the digit alone. The
// response goes first: a key may end the call, and the BYE would be sent before it. The next INFO, which the peer sends
// once it has the response, waits until this key is pressed; otherwise a later digit could overtake it.
func (d *inviteDialog) onInfo(req *sip.Request, tx sip.ServerTransaction) {
	d.pressing.Lock()
	defer d.pressing.Unlock()
	kind := strings.ToLower(headerOf(req, "Content-Type"))
	sendResponse(req, tx, 200, "OK")
	if strings.HasPrefix(kind, "application/dtmf") { // without a body it is a keep-alive
		d.sound.PressKeys(parseKey(req.Body()))
	}
}

// parseKey returns the digit in the body of an INFO; empty without one.
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
