package config

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"munadi/appliance/auth"
	"munadi/store/bucket"
)

// ConfigError lists all faults of a configuration, one per line, each with its source.
type ConfigError struct{ Faults []string }

// Error lists the faults.
func (e *ConfigError) Error() string {
	if len(e.Faults) == 1 {
		return "configuration: " + e.Faults[0]
	}
	return fmt.Sprintf("configuration has %d faults:\n  %s", len(e.Faults), strings.Join(e.Faults, "\n  "))
}

// settingChecks returns the faults of single settings that their types do not find, by setting. None repeats a secret.
func (c *Config) settingChecks() map[string]error {
	all := map[string]error{
		"data":              errors.Join(notEmpty(c.Data), checkFolder(c.Data)),
		"cache":             checkFolder(c.Cache),
		"backup-folder":     checkFolder(c.BackupFolder),
		"model":             checkFolder(c.Model),
		"public-url":        checkWebAddress(c.PublicURL),
		"store":             checkStore(c.Store),
		"recordings":        checkRecordings(c.Recordings),
		"time-scale":        checkTimeScale(c.TimeScale),
		"metrics-token":     checkToken(c.MetricsToken),
		"bootstrap-api-key": checkBootstrapKey(c.BootstrapAPIKey),
		"speech-url":        checkWebAddress(c.SpeechURL),
		"proxy":             checkWebAddress(c.Proxy),
		"model-hub":         errors.Join(notEmpty(c.ModelHub), checkWebAddress(c.ModelHub)),
		"backup-passphrase": checkPassphrase(c.BackupPassphrase),
	}
	maps.Copy(all, c.tlsChecks())
	maps.Copy(all, c.sipChecks())
	maps.Copy(all, c.mailChecks())
	maps.Copy(all, c.oidcChecks())
	maps.Copy(all, c.ldapChecks())
	maps.Copy(all, c.syslogChecks())
	return all
}

// jointCheck is the fault of a setting together with others. It counts only if none of them has a fault of its own,
// from which it could follow.
type jointCheck struct {
	setting string
	with    []string
	err     error
}

// jointChecks returns the checks of settings that belong together.
func (c *Config) jointChecks() []jointCheck {
	return slices.Concat([]jointCheck{{"recordings", []string{"data"}, c.checkOutside()}},
		c.jointTLSChecks(), c.jointSIPChecks(), c.jointMailChecks(), c.jointOIDCChecks(),
		c.jointLDAPChecks(), c.jointSyslogChecks())
}

// checkFolder accepts the path of a folder, and nothing that looks like a URL.
func checkFolder(text string) error {
	if text != "" && strings.TrimSpace(text) == "" || looksLikeURL(text) || strings.ContainsRune(text, 0) {
		return fmt.Errorf("%q is not the path of a folder", text)
	}
	return nil
}

// looksLikeURL reports whether a path was probably meant as a URL, as s3:/bucket is.
func looksLikeURL(text string) bool {
	scheme, rest, found := strings.Cut(text, ":")
	return found && strings.HasPrefix(rest, "/") && len(scheme) > 1 && !strings.ContainsAny(scheme, "/.")
}

// notEmpty refuses an empty value.
func notEmpty(text string) error {
	if text == "" {
		return errors.New("must not be empty")
	}
	return nil
}

// checkWebAddress accepts an empty text, or an http or https URL with a host and without user, query or fragment. A URL
// that may hold a password is not repeated in the error.
func checkWebAddress(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	switch {
	case err == nil && (u.User != nil || u.RawQuery != "" || u.Fragment != ""):
		return errors.New("must not have a user, query or fragment")
	case err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "":
		return nil
	case strings.Contains(text, "@"):
		return errors.New("is not a web address (such as https://calls.example.com)")
	default:
		return fmt.Errorf("%q is not a web address (such as https://calls.example.com)", text)
	}
}

// checkStore accepts the kinds of database that are available.
func checkStore(text string) error {
	switch {
	case text == "badger":
		return nil
	case strings.HasPrefix(text, "postgres://"), strings.HasPrefix(text, "postgresql://"):
		if _, err := url.Parse(text); err != nil { // the URL may hold a password
			return errors.New("is not a URL of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full")
		}
		return nil
	default:
		return errors.New("must be badger, or postgres://USER:PASSWORD@HOST:PORT/DATABASE")
	}
}

// checkRecordings accepts a folder, or the URL of a bucket.
func checkRecordings(text string) error {
	switch {
	case text == "":
		return nil
	case bucket.IsBucketURL(text):
		return bucket.CheckURL(text)
	case checkFolder(text) != nil, strings.HasPrefix(strings.ToLower(text), "s3:"):
		return errors.New("must be a folder, or s3://BUCKET[/PREFIX]?endpoint=…&region=…")
	}
	return nil
}

// checkOutside refuses a folder of recordings in the data folder.
func (c *Config) checkOutside() error {
	if c.Recordings == "" || bucket.IsBucketURL(c.Recordings) {
		return nil
	}
	data, err1 := filepath.Abs(c.Data)
	folder, err2 := filepath.Abs(c.Recordings)
	rest, err3 := filepath.Rel(data, folder)
	if errors.Join(err1, err2, err3) == nil && rest != "." && filepath.IsLocal(rest) {
		return errors.New("must be outside of the data folder, to which recordings are written first; " +
			"leave it empty to keep them there")
	}
	return nil
}

// KeepsElsewhere reports whether recordings are moved from the data folder to a bucket or another folder.
func (c *Config) KeepsElsewhere() bool {
	data, err1 := filepath.Abs(c.Data)
	folder, err2 := filepath.Abs(c.Recordings)
	return c.Recordings != "" && (err1 != nil || err2 != nil || data != folder)
}

// checkTimeScale limits the simulator's time scale.
func checkTimeScale(x float64) error {
	if x < 0.01 || x > 10_000 {
		return fmt.Errorf("%v is not within 0.01 and 10000", x)
	}
	return nil
}

// minPassphrase is the shortest passphrase of a backup, in bytes, since the file can be attacked offline.
const minPassphrase = 12

// checkPassphrase refuses a passphrase that is too short.
func checkPassphrase(text string) error {
	if text != "" && len(text) < minPassphrase {
		return fmt.Errorf("has %d bytes; it must have at least %d", len(text), minPassphrase)
	}
	return nil
}

// checkToken accepts texts that are valid in an HTTP header.
func checkToken(token string) error {
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= unicode.MaxASCII }) {
		return errors.New("a token must consist of printable ASCII characters without spaces")
	}
	return nil
}

// checkBootstrapKey checks the key against the rule of package auth.
func checkBootstrapKey(key string) error {
	if key == "" {
		return nil
	}
	return auth.CheckBootstrapKey(key)
}
