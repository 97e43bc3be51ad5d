package config

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
)

// InForce is a setting as it counts, for people to look at.
type InForce struct {
	Name, Value, Default string
}

// hidden stands for a value that nobody is shown.
const hidden = "•••"

// InForce lists the settings in their order, without the secrets that the environment alone brings. A token that a
// flag may bring is hidden, and so is a password within a URL.
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

// shownDefault is the default as [Config.InForce] would write it.
func (s setting) shownDefault() string {
	return fmt.Sprint(reflect.ValueOf(Default()).Elem().Field(s.index).Interface())
}

func withoutPassword(value string) string {
	if u, err := url.Parse(value); err == nil && u.User != nil {
		u.User = url.User(hidden)
		return u.String()
	}
	return value
}
