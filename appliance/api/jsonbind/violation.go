package jsonbind

import "fmt"

// JoinPath returns the dotted path of name below path.
func JoinPath(path string, name any) string {
	if path == "" {
		return fmt.Sprint(name)
	}
	return fmt.Sprintf("%s.%v", path, name)
}
