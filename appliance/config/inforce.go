package config

import (
	"fmt"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// InForce is the value of a setting in force, for display.
type InForce struct {
	Name, Value, Default string
}

// hidden is the redacted form of a value.
const hidden = "•••"

// InForce lists the settings in their order, without the secrets that come from the environment only. Tokens and
// passwords in URLs are redacted.
func (c *Config) InForce() []InForce {
	var all []InForce
	for _, s := range listSettings() {
		if s.secret {
			continue
		}
		value := fmt.Sprint(reflect.ValueOf(c).Elem().Field(s.index).Interface())
		if strings.HasSuffix(s.name, "-token") && value != "" {
			value = hidden
		}
		all = append(all, InForce{Name: s.name, Value: withoutPassword(value), Default: s.shownDefault()})
	}
	return all
}

// shownDefault returns the default in the form of [Config.InForce].
func (s settingField) shownDefault() string {
	return fmt.Sprint(reflect.ValueOf(Default()).Elem().Field(s.index).Interface())
}

func withoutPassword(value string) string {
	u, err := url.Parse(value)
	if err != nil {
		return value
	}
	if u.User != nil {
		u.User = url.User(hidden)
		value = u.String()
	}
	if q := u.Query(); q.Has("password") || q.Has("sslpassword") { // as a database's URL may have them
		u.RawQuery = hidden
		value = u.String()
	}
	return value
}

// pathSettings are the settings that are, or may be, the path of a file or folder.
var pathSettings = []string{
	"tls-cert", "tls-key", "recordings", "secret-file", "database-key", "backup-folder", "model", "cache", "sip-ca",
	"smtp-password-file", "smtp-ca", "oidc-secret-file", "ldap-ca", "ldap-bind-password-file",
	"syslog-ca", "syslog-cert", "syslog-key",
}

// ExportSettings returns the settings as text by name, for another process of this machine: without secrets, with
// absolute paths.
func (c *Config) ExportSettings() map[string]string {
	texts := map[string]string{}
	for _, s := range c.InForce() {
		text := s.Value
		if slices.Contains(pathSettings, s.Name) && text != "" && !strings.Contains(text, "://") {
			if abs, err := filepath.Abs(text); err == nil {
				text = abs
			}
		}
		texts[s.Name] = text
	}
	delete(texts, "metrics-token") // redacted
	return texts
}

// ImportSettings returns c with the exported settings of a process that serves the same data folder.
func (c *Config) ImportSettings(texts map[string]string) (*Config, error) {
	merged := *c
	for _, s := range listSettings() {
		text, ok := texts[s.name]
		if !ok || s.secret || s.name == "data" || s.name == fileSetting {
			continue
		}
		field := reflect.ValueOf(&merged).Elem().Field(s.index)
		if text == "" {
			field.SetZero()
		} else if err := parseField(field, text); err != nil {
			return nil, fmt.Errorf("the running appliance's setting %s: %w", s.name, err)
		}
	}
	return &merged, nil
}

// CompareSettings returns the settings in which next differs from c: those that a reload changes, and those that need
// a restart. Both are in the order of the settings.
func (c *Config) CompareSettings(next *Config) (live, waiting []string) {
	ours, theirs := reflect.ValueOf(c).Elem(), reflect.ValueOf(next).Elem()
	for _, s := range listSettings() {
		if s.name == fileSetting || ours.Field(s.index).Equal(theirs.Field(s.index)) {
			continue
		}
		if IsReloadable(s.name) {
			live = append(live, s.name)
		} else {
			waiting = append(waiting, s.name)
		}
	}
	return live, waiting
}

// WithReloadable returns c with the reloadable settings of next.
func (c *Config) WithReloadable(next *Config) *Config {
	merged := *c
	ours, theirs := reflect.ValueOf(&merged).Elem(), reflect.ValueOf(next).Elem()
	for _, s := range listSettings() {
		if IsReloadable(s.name) {
			ours.Field(s.index).Set(theirs.Field(s.index))
		}
	}
	return &merged
}
