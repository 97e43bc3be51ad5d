package sip

import (
	"context"
	"io"
	"time"
)

const (
	flowLook = time.Second     // between two looks at whether the connection is still there
	flowMove = 5 * time.Second // for a new connection, and for the other side to take notice of it
)

// keepReachable watches the connection that a call was made over, until the call ends. Over TLS nobody can connect to us:
// where the connection is gone, the other side could not tell us of the call's end. So a new one is made, and the other
// side is told to reach us by that (target refresh, RFC 3261 §12.2.1; the flows of RFC 5626 without its registrations).
func (d *inviteDialog) keepReachable() {
	tick := time.NewTicker(flowLook)
	defer tick.Stop()
	told := true
	for {
		select {
		case <-tick.C:
		case <-d.over:
			return
		case <-d.life.Done():
			return
		}
		if told && d.isConnected(d.currentServer()) {
			continue
		}
		if told {
			d.log.Warn("the connection of a SIP call is gone: it is made again", "sip_call_id", d.callID)
		}
		told = d.moveConnection() == nil
	}
}

// isConnected says whether the connection to a server is still there.
func (c *Carrier) isConnected(by trunkServer) bool {
	connection, err := c.agent.TransportLayer().GetConnection(c.trunk.transport, by.flow)
	if err != nil || connection == nil {
		return false
	}
	_, _ = connection.TryClose() // what asking for it added
	return true
}

// moveConnection connects anew where need be, and tells the other side. A call that it does not know any more is over.
func (d *inviteDialog) moveConnection() error {
	ctx, cancel := context.WithTimeout(d.life, flowMove)
	defer cancel()
	by, err := d.findLocalPort(ctx, d.currentServer())
	if err != nil {
		return err
	}
	d.mu.Lock()
	d.by = by
	d.mu.Unlock()
	res, err := d.signOfLife(ctx)
	switch {
	case err != nil:
		return err
	case res.StatusCode == 481:
		d.endDialog(io.EOF, false)
		return nil
	case !res.IsSuccess():
		return StatusError(res.StatusCode)
	}
	d.log.Info("a SIP call goes on over another connection", "sip_call_id", d.callID)
	return nil
}
