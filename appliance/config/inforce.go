package config

import (
	"fmt"
	"net/url"
	"reflect"
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
