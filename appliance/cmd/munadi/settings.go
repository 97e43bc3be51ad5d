package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"munadi/appliance/backup"
	"munadi/appliance/config"
	"munadi/appliance/ldap"
	"munadi/appliance/syslog"
	"munadi/appliance/tlscert"
	"munadi/engine/model"
	"munadi/store/badger"
)

// SettingsCmd is munadi config: prints the annotated munadi.yaml, or checks the one in use.
type SettingsCmd struct {
	Check bool `help:"Validate the settings in use, with the files that they name, and report each fault with its source."`
}

// Run prints the file. Without --check it does not load the configuration, so that it works with a broken one.
func (c SettingsCmd) Run(ctx *kong.Context, out io.Writer) error {
	if !c.Check {
		return config.WriteAnnotated(out)
	}
	var fault error // Call returns only its own errors
	_, err := ctx.Call(func(cfg *config.Config, report config.FileFaults) {
		fault = checkSettings(cfg, report, out)
	})
	return errors.Join(err, fault)
}

// checkSettings checks the files that the settings name, and the environment.
func checkSettings(cfg *config.Config, report config.FileFaults, out io.Writer) error {
	if err := report(checkNamedFiles(cfg)); err != nil {
		return err
	}
	for name, advice := range adviseVariables(os.Environ()) {
		if _, err := fmt.Fprintf(out, "%s is not a setting%s\n", name, advice); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "The settings are valid (%s).\n", cmp.Or(cfg.File, "no file"))
	return err
}

// adviseVariables yields the environment's unknown MUNADI_ variables, sorted, each with what may be meant.
func adviseVariables(environment []string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		unknown := config.UnknownVariables(environment)
		for _, name := range slices.Sorted(maps.Keys(unknown)) {
			advice := "; munadi serve --help lists all settings"
			if unknown[name] != "" {
				advice = "; perhaps " + unknown[name] + " is meant"
			}
			if !yield(name, advice) {
				return
			}
		}
	}
}

// checkNamedFiles returns the faults of the files, folders and programs that settings name, by setting.
func checkNamedFiles(cfg *config.Config) map[string]error {
	found := map[string]error{
		"model": checkModelFolder(cfg.Model), "sip-ca": checkAuthority(cfg.SIPCA), "smtp-ca": checkAuthority(cfg.SMTPCA),
		"smtp-password-file": checkSecret(cfg.SMTPPasswordFile), "oidc-secret-file": checkSecret(cfg.OIDCSecretFile),
		"database-key": checkDatabaseKey(cfg.DatabaseKey), "syslog-ca": checkAuthority(cfg.SyslogCA),
		"ldap-ca": checkAuthority(cfg.LDAPCA), "ldap-bind-password-file": checkSecret(cfg.LDAPBindPasswordFile),
		"ffmpeg": checkProgram(cfg.FFmpeg), "espeak": checkProgram(cfg.ESpeak),
		"backup-recipient": checkRecipient(cfg.BackupRecipient),
	}
	maps.Copy(found, ldap.CheckSettings(cfg))
	for _, t := range cfg.Trunks() {
		if err := checkAuthority(t.CA); err != nil && t.CA != cfg.SIPCA {
			found["sip-trunks"] = fmt.Errorf("trunk %s: ca: %w", t.Name, err)
		}
		if err := checkSecret(t.PasswordFile); err != nil {
			found["sip-trunks"] = fmt.Errorf("trunk %s: password-file: %w", t.Name, err)
		}
	}
	if cfg.TLSCert != "" && cfg.TLSKey != "" {
		_, err := tlscert.NewFileSource(cfg.TLSCert, cfg.TLSKey, slog.New(slog.DiscardHandler))
		addPairFault(found, "tls", err)
	}
	if cfg.SyslogCert != "" && cfg.SyslogKey != "" {
		addPairFault(found, "syslog", syslog.ClientCertificate(cfg).CheckPair())
	}
	return found
}

// addPairFault adds the fault of a certificate and its key to the setting of the two that it begins with.
func addPairFault(found map[string]error, prefix string, err error) {
	if err == nil {
		return
	}
	setting := prefix + "-cert"
	if strings.HasPrefix(err.Error(), prefix+"-key") {
		setting = prefix + "-key"
	}
	found[setting] = errors.New(strings.TrimPrefix(err.Error(), setting+": "))
}

// checkDatabaseKey checks that a file holds a key of the database; empty: none. Whether it is the database's is known
// when that is opened.
func checkDatabaseKey(path string) error {
	if err := checkReadable(path); err != nil || path == "" {
		return err
	}
	return badger.CheckKeyFile(path)
}

// checkReadable checks that a file is there and may be read; empty: none.
func checkReadable(path string) error {
	if path == "" {
		return nil
	}
	_, err := os.ReadFile(path)
	return config.ExplainFile(path, err)
}

// checkSecret checks a file with a secret as a start reads it; empty: none.
func checkSecret(path string) error {
	const setting = "secret"
	_, err := config.ReadSecret(setting, path, "")
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), setting+": ")) // the caller names the setting
	}
	return nil
}

// checkAuthority checks a file with certificates of a CA.
func checkAuthority(path string) error {
	_, err := config.LoadAuthorities(path)
	return err
}

// checkModelFolder checks that a folder holds the files of a model.
func checkModelFolder(path string) error {
	if path == "" {
		return nil
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s", path)
	}
	folder, err := model.FolderAt(path)
	if err != nil {
		return err
	}
	return folder.CheckLayout()
}

// checkProgram checks the path of a program, or its name in PATH.
func checkProgram(name string) error {
	if name == "" || name == "none" {
		return nil
	}
	if _, err := exec.LookPath(name); err != nil {
		return fmt.Errorf("there is no program %s; none turns it off", name)
	}
	return nil
}

// checkRecipient checks the public keys that backups are encrypted for.
func checkRecipient(textOrPath string) error {
	if textOrPath == "" {
		return nil
	}
	if !strings.HasPrefix(textOrPath, "age1") {
		if err := checkReadable(textOrPath); err != nil {
			return fmt.Errorf("is no public key of age (age1…), and %w", err)
		}
	}
	if _, err := backup.ReadRecipients(textOrPath); err != nil {
		return errors.New("is not, or does not hold, a public key of age (age1…; to create one: age-keygen)")
	}
	return nil
}
