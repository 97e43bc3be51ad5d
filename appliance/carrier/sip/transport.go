package sip

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
)

// listenSignalling binds the signalling port: UDP, and TCP if the trunk uses it.
func (c *Carrier) listenSignalling() error {
	at := c.options.Listen
	udp, tcp := "udp4", "tcp4"
	if at.Addr().Is6() && !at.Addr().Is4In6() {
		udp, tcp = "udp6", "tcp6"
	}
	var err error
	for range 10 { // a port picked for UDP may be taken for TCP
		if c.udp, err = net.ListenPacket(udp, at.String()); err != nil {
			return fmt.Errorf("SIP can't listen on %s: %w", at, err)
		}
		if c.trunk.transport != "tcp" {
			return nil
		}
		var l net.Listener
		if l, err = net.Listen(tcp, c.udp.LocalAddr().String()); err == nil {
			c.tcp = newStreams(l, &c.guard, usualStreams)
			return nil
		}
		_ = c.udp.Close()
		if at.Port() != 0 {
			break
		}
	}
	return fmt.Errorf("SIP can't listen on %s: %w", at, err)
}

// discardLog discards sipgo's own log, which contains whole messages with numbers.
var discardLog = slog.New(slog.DiscardHandler)

// Process-wide sipgo settings. Messages over UDP may exceed sipgo's assumed path MTU: IP fragments them, as happens to
// every INVITE with a long challenge. RFC 3261 §18.1.1 would switch to TCP, which trunks do not listen on.
func init() {
	sip.SetDefaultLogger(discardLog)
	sip.UDPMTUSize = 4096
}

// serveTransports starts the transports.
func (c *Carrier) serveTransports() (err error) {
	c.agent, err = sipgo.NewUA(
		sipgo.WithUserAgent(c.options.UserAgent),
		sipgo.WithUserAgenTLSConfig(&tls.Config{
			RootCAs: c.options.Roots, ServerName: c.trunk.host, MinVersion: tls.VersionTLS12,
		}),
		sipgo.WithUserAgentTransportLayerOptions(
			sip.WithTransportLayerLogger(discardLog), sip.WithTransportLayerReadFilter(c.guard.filterPacket),
		),
		sipgo.WithUserAgentTransactionLayerOptions(
			sip.WithTransactionLayerLogger(discardLog), sip.WithTransactionLayerTerminateOnConnClose(),
		),
	)
	if err != nil {
		return err
	}
	if c.client, err = sipgo.NewClient(c.agent, sipgo.WithClientLogger(discardLog)); err != nil {
		return err
	}
	server, err := sipgo.NewServer(c.agent, sipgo.WithServerLogger(discardLog))
	if err != nil {
		return err
	}
	c.answerTo(server)
	read := make(chan struct{})
	go func() { _ = server.ServeUDP(&readySocket{PacketConn: c.udp, read: read}) }() // both end with their sockets
	if c.tcp != nil {
		go func() { _ = server.ServeTCP(c.tcp) }()
	}
	<-read
	return nil
}

// readySocket signals its first read: from then on sipgo has it in its pool, and sends from it.
type readySocket struct {
	net.PacketConn
	once sync.Once
	read chan struct{}
}

func (s *readySocket) ReadFrom(b []byte) (int, net.Addr, error) {
	s.once.Do(func() { close(s.read) })
	return s.PacketConn.ReadFrom(b)
}

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
