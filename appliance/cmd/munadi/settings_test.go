package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/config"
)

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
