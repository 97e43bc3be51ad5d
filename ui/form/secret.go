package form

import "munadi/ui/locale"

// UserNameField is the name of the field of [UserName].
const UserNameField = "username"

// secretNames are the names of all fields whose values are never shown again: passwords, keys and one-time codes.
var secretNames = map[string]bool{
	"password": true, "current": true, "new": true, "again": true, "code": true, "key": true,
}

// IsSecret reports whether a field of that name holds a secret.
func IsSecret(name string) bool { return secretNames[name] }

// SecretAgain is the field of a secret that has to be typed again.
func SecretAgain(name string, l locale.Language) Field {
	return Field{name: name, kind: Password, label: locale.KitPassword.In(l), required: true}
}
