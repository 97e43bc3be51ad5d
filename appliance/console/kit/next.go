package kit

import (
	"net/url"
	"path"
	"strings"
)

// SafeNextPath returns the path that a form asks to be led to afterwards, only within the console (no open redirect).
func SafeNextPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || strings.ContainsAny(next, "\\\r\n") {
		return Root
	}
	if u.Path != Root && !strings.HasPrefix(u.Path, Root+"/") || strings.HasPrefix(u.Path, Root+"/sign-") ||
		path.Clean(u.Path) != u.Path {
		return Root
	}
	return u.RequestURI()
}
