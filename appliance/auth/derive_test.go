package auth_test

import (
	"testing"

	"munadi/appliance/auth"
)

func TestDerivedSecretsDiffer(t *testing.T) {
	t.Parallel()
	secret := auth.Secret{1}
	links := secret.Derive("links")
	if links != secret.Derive("links") {
		t.Error("the same purpose gives another secret")
	}
	for name, other := range map[string][32]byte{
		"another purpose": secret.Derive("backup"), "another installation": auth.Secret{2}.Derive("links"),
		"itself": secret, "nothing": {},
	} {
		if links == other {
			t.Errorf("it is that of %s", name)
		}
	}
}
