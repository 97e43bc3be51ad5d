package syslog

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"time"

	"munadi/appliance/config"
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
		own, err := tls.LoadX509KeyPair(c.SyslogCert, c.SyslogKey)
		if err != nil {
			return s, fmt.Errorf("syslog-cert, syslog-key: %w", err)
		}
		s.TLS.Certificates = []tls.Certificate{own}
	}
	return s, nil
}

// halfCloser is a connection whose sending side can be closed alone.
type halfCloser interface {
	net.Conn
	CloseWrite() error
}

// connect connects to the server.
func (s Server) connect(ctx context.Context) (halfCloser, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	if s.TLS != nil {
		c, err := (&tls.Dialer{Config: s.TLS}).DialContext(ctx, "tcp", s.Address)
		if err == nil {
			err = awaitRefusal(c)
		}
		if err != nil {
			return nil, err
		}
		return c.(*tls.Conn), nil
	}
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.Address)
	if err != nil {
		return nil, err
	}
	return c.(*net.TCPConn), nil
}

// refusalTime is how long a server has to refuse the client certificate, or that there is none.
const refusalTime = 500 * time.Millisecond

// awaitRefusal returns an error if the server ends a new connection at once. With TLS 1.3 the handshake has succeeded
// on our side before the server looks at our certificate; and the orderly end of a connection that it refuses is like
// that of one of which it has read everything.
func awaitRefusal(c net.Conn) error {
	if err := c.SetReadDeadline(time.Now().Add(refusalTime)); err != nil {
		return errors.Join(err, c.Close())
	}
	_, err := c.Read(make([]byte, 1))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return c.SetReadDeadline(time.Time{})
	}
	if err == nil {
		err = errors.New("it sent something")
	}
	return errors.Join(fmt.Errorf("the syslog server ended the connection after the handshake: is the client certificate "+
		"(syslog-cert) one that it accepts? %w", err), c.Close())
}

// SendMessages sends messages in order, framed by octet counting (RFC 6587 section 3.4.1, RFC 5425 section 4.3), in a
// connection of their own. It returns without error only when the server has read them all: syslog has no
// acknowledgement, but a server closes the connection once it has read the end of it, and a dead one resets it.
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
	if err := c.CloseWrite(); err != nil {
		return err
	}
	return awaitEnd(c)
}

// awaitEnd waits until the server closes the connection.
func awaitEnd(c net.Conn) error {
	_, err := io.Copy(io.Discard, io.LimitReader(c, 1<<20))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("the syslog server did not close the connection within %s of its end, so it is unknown whether "+
			"it has read the entries", sendTime)
	}
	return err
}

// CheckConnection connects to the server, sends nothing, and waits for its end: with TLS 1.3 a server refuses the
// client certificate, or that there is none, after the handshake has succeeded here.
func (s Server) CheckConnection(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	return s.SendMessages(ctx, nil)
}
