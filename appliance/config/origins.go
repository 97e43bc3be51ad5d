package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// OriginList is a list of web origins (RFC 6454) for CORS, or "*" for all; separated by commas.
type OriginList string

// UnmarshalText parses https://app.example.com,http://localhost:3000 or *.
func (o *OriginList) UnmarshalText(text []byte) error {
	var all []string
	for _, one := range splitList(string(text)) {
		origin, ok := serializeOrigin(one)
		if !ok && one != "*" {
			return fmt.Errorf("%q is not a web origin (such as https://app.example.com, without a path, or *)", one)
		}
		if one == "*" {
			origin = one
		}
		all = append(all, origin)
	}
	*o = OriginList(strings.Join(all, ","))
	return nil
}

// AllowsOrigin reports whether an origin is in the list.
func (o OriginList) AllowsOrigin(origin string) bool {
	all := splitList(string(o))
	if slices.Contains(all, "*") {
		return true
	}
	serialized, ok := serializeOrigin(origin)
	return ok && slices.Contains(all, serialized)
}

// serializeOrigin normalizes an origin as browsers do: lower case, without the scheme's default port.
func serializeOrigin(text string) (string, bool) {
	u, err := url.Parse(strings.ToLower(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return "", false
	}
	usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	bare := url.URL{Scheme: u.Scheme, Host: u.Host}
	if bare.String() != strings.ToLower(text) || strings.HasSuffix(u.Host, ":") || strings.Contains(u.Host, "*") {
		return "", false
	}
	return strings.TrimSuffix(bare.String(), ":"+usual), true
}
