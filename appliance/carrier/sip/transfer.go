package sip

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier"
	"munadi/store/call"
)

// sendRefer transfers the call to a number or SIP address by REFER (RFC 3515). It waits until the target answers; then
// the call is over for us.
func (d *inviteDialog) sendRefer(ctx context.Context, to string) error {
	select {
	case <-d.over:
		return d.endReason()
	default:
	}
	goal, err := d.transferTarget(to)
	if err != nil {
		return err
	}
	req := d.newRequest(sip.REFER)
	d.refer.Store(req.CSeq().SeqNo)
	d.forgetReferred()
	req.AppendHeader(sip.NewHeader("Refer-To", "<"+goal.String()+">"))
	req.AppendHeader(sip.NewHeader("Referred-By", "<"+d.from.Address.String()+">"))
	e, err := d.sendRequest(ctx, req)
	if err != nil {
		return err
	}
	if !e.res.IsSuccess() {
		return fmt.Errorf("%w: %w", carrier.ErrNoTransfer, StatusError(e.res.StatusCode))
	}
	return d.awaitTransfer(ctx, req.CSeq().SeqNo)
}

// firstNotice is how long the first NOTIFY may take, which the trunk must send at once (RFC 3515 §2.4.4). One that
// sends none does not transfer.
const firstNotice = 5 * time.Second

// lastNotice is how long a final NOTIFY may arrive after the BYE that follows it.
const lastNotice = 500 * time.Millisecond

// transferRefusal returns the error of a transfer whose call to the target failed: by the target, or by a trunk that
// cannot transfer.
func transferRefusal(status int) error {
	refused := &carrier.DialError{SIPCode: &status, Rang: true}
	if outcome, _ := carrier.ClassifyRefusal(refused); outcome == call.Failed {
		return fmt.Errorf("%w: the call to the target failed: %w", carrier.ErrNoTransfer, StatusError(status))
	}
	return fmt.Errorf("the transfer was not answered: %w", refused)
}

// forgetReferred drops pending progress of an abandoned transfer, which would fill the queue.
func (d *inviteDialog) forgetReferred() {
	for {
		select {
		case <-d.referred:
		default:
			return
		}
	}
}

// transferTarget returns the URI of a transfer's target: the number at the trunk, or the SIP URI.
func (d *inviteDialog) transferTarget(to string) (sip.Uri, error) {
	if strings.HasPrefix(to, "+") {
		return d.trunk.trunkURI(d.dialString(to)), nil
	}
	var uri sip.Uri
	err := sip.ParseUri(to, &uri)
	return uri, err
}

// awaitTransfer waits for the outcome of the transfer by a REFER. A call that ends without a final report was not
// transferred as far as anybody knows, and the error is that of its line.
func (d *inviteDialog) awaitTransfer(ctx context.Context, refer uint32) error {
	silent := time.NewTimer(firstNotice)
	defer silent.Stop()
	over, late := d.over, (<-chan time.Time)(nil)
	for {
		select {
		case n := <-d.referred:
			silent.Stop()
			switch {
			case n.refer != refer: // it came before this REFER was sent
			case n.status >= 300:
				return transferRefusal(n.status)
			case n.status >= 200:
				d.endDialog(io.EOF, true)
				return nil
			case n.last: // RFC 6665 §4.1.3: the subscription ended
				return errUntold
			}
		case <-over:
			over, late = nil, time.After(lastNotice)
		case <-late:
			return d.endReason()
		case <-silent.C:
			return fmt.Errorf("%w: it accepted the request and did not report about it", carrier.ErrNoTransfer)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// endReason returns the error of the line of a call that is over.
func (d *inviteDialog) endReason() error {
	<-d.sound.Ended()
	return d.sound.Err()
}

// errUntold means that the trunk ended the transfer's progress reports without an outcome.
var errUntold = fmt.Errorf("%w: it ended its reports without an outcome", carrier.ErrNoTransfer)

// transferNotice is the progress in a NOTIFY.
type transferNotice struct {
	refer  uint32 // CSeq of our last REFER when it came
	status int    // of the call to the target; 0: unknown
	last   bool   // the last one
}

// onNotify handles the progress of a transfer: message/sipfrag with a status line, and the subscription state.
func (d *inviteDialog) onNotify(req *sip.Request, tx sip.ServerTransaction) {
	refer := d.refer.Load() // before the response, after which another transfer may begin
	sendResponse(req, tx, 200, "OK")
	state, _, _ := strings.Cut(headerOf(req, "Subscription-State"), ";")
	n := transferNotice{refer: refer, last: strings.EqualFold(strings.TrimSpace(state), "terminated")}
	status, told := parseFragment(req.Body())
	if n.status = status; !told && !n.last {
		return
	}
	select {
	case d.referred <- n:
	default: // no one is waiting
	}
}

// parseFragment returns the status of a message/sipfrag that begins with a status line (RFC 3420).
func parseFragment(body []byte) (int, bool) {
	fields := bytes.Fields(body)
	if len(fields) < 2 || !bytes.EqualFold(fields[0], []byte("SIP/2.0")) {
		return 0, false
	}
	status, err := strconv.Atoi(string(fields[1]))
	return status, err == nil && status >= 100 && status <= 699
}

// StatusError is a final SIP response that is not a success.
type StatusError int

// Error returns the status, with advice for common ones.
func (e StatusError) Error() string {
	text := fmt.Sprintf("SIP status %d", int(e))
	switch e {
	case 401, 403, 407:
		return text + ": the trunk does not take user and password, or not from this address"
	case 404:
		return text + ": the trunk does not know the user"
	case 405, 501:
		return text + ": the trunk does not know this kind of request"
	case 503:
		return text + ": the trunk is overloaded or being serviced"
	default:
		return text
	}
}
