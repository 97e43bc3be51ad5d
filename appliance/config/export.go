package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// pathSettings are the settings that are, or may be, the path of a file or folder.
var pathSettings = []string{
	"tls-cert", "tls-key", "recordings", "secret-file", "database-key", "backup-folder", "model", "cache", "sip-ca",
	"smtp-password-file", "smtp-ca",
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
