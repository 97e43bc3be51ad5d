package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/config"
)

// writePair writes a certificate that is valid until a time, and its key.
func writePair(t *testing.T, until time.Time) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: until.AddDate(-1, 0, 0), NotAfter: until}
	der, err := x509.CreateCertificate(rand.Reader, form, form, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// TestNamedFilesAreChecked checks the files, folders and programs that settings name.
func TestNamedFilesAreChecked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	junk := filepath.Join(dir, "junk.pem")
	if err := os.WriteFile(junk, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, []byte("\nsecret"), 0o600); err != nil {
		t.Fatal(err)
	}
	hexKey := filepath.Join(dir, "hex.key")
	if err := os.WriteFile(hexKey, []byte(strings.Repeat("0f", 32)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cert, key := writePair(t, time.Now().Add(time.Hour))
	old, oldKey := writePair(t, time.Now().Add(-time.Hour))
	for name, c := range map[string]struct {
		set     func(*config.Config)
		setting string // with the fault; empty: none
		says    string
	}{
		"defaults":      {func(*config.Config) {}, "", ""},
		"certificate":   {func(c *config.Config) { c.TLSCert, c.TLSKey = junk, junk }, "tls-cert", "holds no certificate in PEM"},
		"no key":        {func(c *config.Config) { c.TLSCert, c.TLSKey = junk, dir+"/none" }, "tls-key", "there is no file"},
		"no model":      {func(c *config.Config) { c.Model = dir + "/none" }, "model", "there is no folder " + dir + "/none"},
		"another model": {func(c *config.Config) { c.Model = dir }, "model", "no model in the folder"},
		"a model":       {func(c *config.Config) { c.Model = "../../../assets/model/bundle" }, "", ""},
		"CA":            {func(c *config.Config) { c.SIPCA = junk }, "sip-ca", "holds no certificate in PEM"},
		"no CA":         {func(c *config.Config) { c.SMTPCA = dir }, "smtp-ca", "is a folder"},
		"no secret":     {func(c *config.Config) { c.OIDCSecretFile = dir + "/none" }, "oidc-secret-file", "there is no file"},
		"no password":   {func(c *config.Config) { c.SMTPPasswordFile = dir + "/none" }, "smtp-password-file", "there is no file"},
		"empty secret":  {func(c *config.Config) { c.OIDCSecretFile = empty }, "oidc-secret-file", "is empty"},
		"a short key":   {func(c *config.Config) { c.DatabaseKey = empty }, "database-key", "neither 32 bytes nor 64 hex digits"},
		"a key":         {func(c *config.Config) { c.DatabaseKey = hexKey }, "", ""},
		"a client":      {func(c *config.Config) { c.SyslogCert, c.SyslogKey = cert, key }, "", ""},
		"no client":     {func(c *config.Config) { c.SyslogCert, c.SyslogKey = junk, key }, "syslog-cert", "holds no certificate in PEM"},
		"no client key": {func(c *config.Config) { c.SyslogCert, c.SyslogKey = cert, dir+"/none" }, "syslog-key", "there is no file"},
		"another's key": {func(c *config.Config) { c.SyslogCert, c.SyslogKey = cert, oldKey }, "syslog-key", "is not the key of the certificate"},
		"exchanged":     {func(c *config.Config) { c.SyslogCert, c.SyslogKey = key, cert }, "syslog-cert", "exchange them"},
		"expired":       {func(c *config.Config) { c.SyslogCert, c.SyslogKey = old, oldKey }, "syslog-cert", "expired"},
		"no key file":   {func(c *config.Config) { c.DatabaseKey = dir + "/none" }, "database-key", "there is no file"},
		"recipient":     {func(c *config.Config) { c.BackupRecipient = "age1nonsense" }, "backup-recipient", "public key of age"},
		"no recipient":  {func(c *config.Config) { c.BackupRecipient = dir + "/none" }, "backup-recipient", "there is no file"},
		"no program":    {func(c *config.Config) { c.FFmpeg = dir + "/none" }, "ffmpeg", "there is no program"},
	} {
		cfg := config.Default()
		c.set(cfg)
		for setting, err := range checkNamedFiles(cfg) {
			if err != nil && setting != c.setting {
				t.Errorf("%s: %s: %v", name, setting, err)
			}
		}
		if err := checkNamedFiles(cfg)[c.setting]; c.setting != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}
