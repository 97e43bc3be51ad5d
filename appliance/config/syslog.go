package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
)

// The ports of syslog where the setting has none: of TCP as usual, of TLS by RFC 5425.
const (
	syslogTCPPort = "514"
	syslogTLSPort = "6514"
)

// SyslogServer returns the address of the syslog server, with its port, and its host for TLS; empty without TLS, both
// empty without a server.
func (c *Config) SyslogServer() (address, tlsHost string, err error) {
	if c.Syslog == "" {
		return "", "", nil
	}
	u, err := url.Parse(c.Syslog)
	if err != nil || u.Scheme != "tcp" && u.Scheme != "tls" || u.Hostname() == "" || u.User != nil ||
		u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" {
		return "", "", fmt.Errorf("%q is not the address of a syslog server, such as tls://siem.example.com:6514 or "+
			"tcp://10.0.0.5:514", c.Syslog)
	}
	port := u.Port()
	switch {
	case u.Scheme == "tcp" && port == "":
		port = syslogTCPPort
	case port == "":
		port = syslogTLSPort
	}
	address = net.JoinHostPort(u.Hostname(), port)
	if u.Scheme == "tls" {
		tlsHost = u.Hostname()
	}
	return address, tlsHost, nil
}

// syslogChecks returns the faults of the single settings of syslog.
func (c *Config) syslogChecks() map[string]error {
	_, _, err := c.SyslogServer()
	return map[string]error{"syslog": err}
}

// jointSyslogChecks returns the faults of settings of syslog that do not belong together.
func (c *Config) jointSyslogChecks() (all []jointCheck) {
	with := []string{"syslog", "syslog-ca", "syslog-cert", "syslog-key"}
	if _, tlsHost, _ := c.SyslogServer(); tlsHost == "" {
		for setting, value := range map[string]string{
			"syslog-ca": c.SyslogCA, "syslog-cert": c.SyslogCert, "syslog-key": c.SyslogKey,
		} {
			if value != "" {
				all = append(all, jointCheck{setting, with, errors.New("needs a syslog server with tls://")})
			}
		}
		return all
	}
	if (c.SyslogCert == "") != (c.SyslogKey == "") {
		all = append(all, jointCheck{"syslog-cert", with, errors.New("needs syslog-key, and syslog-key needs it")})
	}
	return all
}
