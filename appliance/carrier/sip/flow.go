package sip

import (
	"context"
	"io"
	"time"
)

const flowLook = time.Second // interval between connection checks

// keepReachable monitors the TLS connection of a call until the call ends. Over TLS the remote side cannot connect to
// us: if the connection is lost, its BYE could not reach us. So we reconnect and send a target refresh (RFC 3261
// §12.2.1; like the flows of RFC 5626 without its registrations).
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

// isConnected reports whether the connection to a server still exists.
func (c *Carrier) isConnected(by trunkServer) bool {
	connection, err := c.agent.TransportLayer().GetConnection(c.trunk.transport, by.flow)
	if err != nil || connection == nil {
		return false
	}
	_, _ = connection.TryClose() // releases the reference taken by GetConnection
	return true
}

// moveConnection reconnects if needed, and notifies the remote side by re-INVITE. A call unknown to the remote side is
// ended.
func (d *inviteDialog) moveConnection() error {
	if err := d.reconnect(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(d.life, untilFinal)
	defer cancel()
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

// reconnect makes the connection if it is gone, and notes our port on it.
func (d *inviteDialog) reconnect() error {
	by, err := d.findLocalPort(d.life, d.currentServer())
	if err != nil {
		return err
	}
	d.mu.Lock()
	d.by = by
	d.mu.Unlock()
	return nil
}
