package config

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"unicode"

	"munadi/appliance/auth"
)

// ConfigError is everything that is wrong with a configuration, one fault a line, each with its place.
type ConfigError struct{ Faults []string }

// Error lists the faults.
func (e *ConfigError) Error() string {
	if len(e.Faults) == 1 {
		return "configuration: " + e.Faults[0]
	}
	return fmt.Sprintf("configuration has %d faults:\n  %s", len(e.Faults), strings.Join(e.Faults, "\n  "))
}

// settingChecks are the rules that a setting's type does not tell, by its name. None repeats a secret.
func (c *Config) settingChecks() map[string]error {
	all := map[string]error{
		"data":              notEmpty(c.Data),
		"public-url":        checkWebAddress(c.PublicURL),
		"store":             checkStore(c.Store),
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
	return all
}

// notEmpty wants a value.
func notEmpty(text string) error {
	if text == "" {
		return errors.New("must not be empty")
	}
	return nil
}

// checkWebAddress wants http or https and a host, and neither user, query nor fragment, or nothing at all. What may
// hold a password is not repeated.
func checkWebAddress(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	switch {
	case err == nil && (u.User != nil || u.RawQuery != "" || u.Fragment != ""):
		return errors.New("has a user, query or fragment; give the address without")
	case err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "":
		return nil
	case strings.Contains(text, "@"):
		return errors.New("is no web address (such as https://calls.example.com)")
	default:
		return fmt.Errorf("%q is no web address (such as https://calls.example.com)", text)
	}
}

// checkStore wants a database that there is.
func checkStore(text string) error {
	switch {
	case text == "badger":
		return nil
	case strings.HasPrefix(text, "postgres://"), strings.HasPrefix(text, "postgresql://"):
		return errors.New("PostgreSQL is not available yet; use badger") // not the URL: it may hold a password
	default:
		return errors.New("is none of badger")
	}
}

// checkTimeScale wants time to pass. Whether its pace counts is the carrier's.
func checkTimeScale(x float64) error {
	if x < 0.01 || x > 10_000 {
		return fmt.Errorf("%v is not within 0.01 and 10000", x)
	}
	return nil
}

// minPassphrase is the shortest passphrase of a backup, in bytes: whoever has the file may try at leisure.
const minPassphrase = 12

// checkPassphrase wants one that is worth the name, or none.
func checkPassphrase(text string) error {
	if text != "" && len(text) < minPassphrase {
		return fmt.Errorf("has %d bytes; at least %d are needed", len(text), minPassphrase)
	}
	return nil
}

// checkToken wants what fits a header.
func checkToken(token string) error {
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= unicode.MaxASCII }) {
		return errors.New("a token holds only printable ASCII characters and no space")
	}
	return nil
}

// checkBootstrapKey applies the rule for keys.
func checkBootstrapKey(key string) error {
	if key == "" {
		return nil
	}
	return auth.CheckBootstrapKey(key)
}
