package syslog

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"munadi/appliance/config"
	"munadi/appliance/tlscert"
)

const (
	dialTime = 10 * time.Second
	// sendTime is the longest time for a batch, with the server's answer that it has read all of it.
	sendTime = 60 * time.Second
	// stopTime is how long a batch may take that is being sent when the appliance stops: cut off, it would come again.
	stopTime = 10 * time.Second
)

// Server is the syslog server.
type Server struct {
	Address string
	TLS     *tls.Config // nil: TCP
}

// NewServer returns the syslog server of the settings. The files of the certificates are read.
func NewServer(c *config.Config) (Server, error) {
	address, tlsHost, err := c.SyslogServer()
	if err != nil || tlsHost == "" {
		return Server{Address: address}, err
	}
	s := Server{Address: address, TLS: &tls.Config{ServerName: tlsHost, MinVersion: tls.VersionTLS12}}
	if s.TLS.RootCAs, err = config.ReadAuthorities("syslog-ca", c.SyslogCA); err != nil {
		return s, err
	}
	if c.SyslogCert != "" {
		own, err := ClientCertificate(c).LoadPair()
		if err != nil {
			return s, err
		}
		s.TLS.Certificates = []tls.Certificate{*own}
	}
	return s, nil
}

// ClientCertificate returns the settings of the client certificate.
func ClientCertificate(c *config.Config) tlscert.PairSettings {
	return tlscert.PairSettings{
		CertSetting: "syslog-cert", Cert: c.SyslogCert, KeySetting: "syslog-key", Key: c.SyslogKey,
	}
}

// connection is one to the server, whose sending side can be closed alone.
type connection struct {
	halfCloser
	tcp *net.TCPConn // below TLS
}

type halfCloser interface {
	net.Conn
	CloseWrite() error
}

// connect connects to the server.
func (s Server) connect(ctx context.Context) (c connection, err error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	if s.TLS == nil {
		plain, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.Address)
		if err != nil {
			return c, err
		}
		return connection{plain.(*net.TCPConn), plain.(*net.TCPConn)}, nil
	}
	secured, err := (&tls.Dialer{Config: s.TLS}).DialContext(ctx, "tcp", s.Address)
	if err != nil {
		return c, err
	}
	return connection{secured.(*tls.Conn), secured.(*tls.Conn).NetConn().(*net.TCPConn)}, nil
}

// errRefused means that the server ended a connection before it could have read everything. With TLS 1.3 the handshake
// has succeeded on our side before a server looks at our certificate.
var errRefused = errors.New("the syslog server ended the connection before it had read the entries: does it accept " +
	"this machine, and the client certificate (syslog-cert)?")

// SendMessages sends messages in order, framed by octet counting (RFC 6587 section 3.4.1, RFC 5425 section 4.3), in a
// connection of their own. It returns without error only when the server has read them all. Syslog has no
// acknowledgement; but once the server's kernel has them, a server that closes the connection without having read them
// resets it, and one that has read them to our end closes it in order.
func (s Server) SendMessages(ctx context.Context, messages [][]byte) error {
	c, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // what was sent is confirmed by the server's end
	if err := c.SetDeadline(time.Now().Add(sendTime)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Now().Add(stopTime)) })
	defer stop()
	w := bufio.NewWriter(c)
	for _, m := range messages {
		_, _ = w.WriteString(strconv.Itoa(len(m)) + " ") // Flush returns the first error
		_, _ = w.Write(m)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := c.awaitDelivery(); err != nil {
		return err
	}
	if err := c.CloseWrite(); err != nil {
		return err
	}
	return c.awaitEnd()
}

// deliveryPoll is how often a connection is asked whether the server's kernel has what was sent.
const deliveryPoll = 2 * time.Millisecond

// awaitDelivery waits until the server's kernel has acknowledged what was sent, while the connection is up.
func (c connection) awaitDelivery() error {
	for until := time.Now().Add(sendTime); ; {
		state, err := c.readState()
		switch {
		case err != nil:
			return err
		case state.State != unix.BPF_TCP_ESTABLISHED:
			return errRefused
		case state.Unacked == 0 && state.Notsent_bytes == 0:
			return nil
		case time.Now().After(until):
			return fmt.Errorf("the syslog server did not take the entries within %s", sendTime)
		}
		<-time.After(deliveryPoll)
	}
}

// readState returns the kernel's state of the TCP connection.
func (c connection) readState() (state *unix.TCPInfo, err error) {
	raw, err := c.tcp.SyscallConn()
	if err != nil {
		return nil, err
	}
	if failed := raw.Control(func(fd uintptr) {
		state, err = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
	}); failed != nil {
		return nil, failed
	}
	return state, err
}

// awaitEnd waits until the server closes the connection. The end of TLS may precede a reset of what is below it.
func (c connection) awaitEnd() error {
	_, err := io.Copy(io.Discard, io.LimitReader(c, 1<<20))
	if err == nil {
		_ = c.tcp.CloseWrite() // TLS has ended its part alone; a fault is that of the read
		_, err = io.Copy(io.Discard, io.LimitReader(c.tcp, 1<<20))
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errors.New("the syslog server did not close the connection in time after its end, so it is unknown whether " +
			"it has read the entries")
	case errors.Is(err, unix.ECONNRESET):
		return fmt.Errorf("%w %w", errRefused, err)
	}
	return err
}

// refusalTime is how long a check waits for a server to refuse the client certificate, or that there is none.
const refusalTime = 500 * time.Millisecond

// CheckConnection connects to the server, sends nothing, and waits whether it refuses the connection, and for its
// end: with TLS 1.3 a server refuses the client certificate, or that there is none, after the handshake has succeeded
// here. A server that does so later is noticed when entries are sent.
func (s Server) CheckConnection(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	c, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // nothing was sent
	if err := c.SetReadDeadline(time.Now().Add(refusalTime)); err != nil {
		return err
	}
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("%w %w", errRefused, cmp.Or(err, errUnasked))
	}
	if err := c.SetDeadline(time.Now().Add(dialTime)); err != nil {
		return err
	}
	if err := c.CloseWrite(); err != nil {
		return err
	}
	return c.awaitEnd()
}

var errUnasked = errors.New("it sent something")
