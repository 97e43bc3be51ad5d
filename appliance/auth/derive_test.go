package auth_test

import (
	"testing"

	"munadi/appliance/auth"
)

func TestDerivedSecretsDiffer(t *testing.T) {
	t.Parallel()
	secret := auth.InstallationSecret{1}
	links := secret.DeriveKey("links")
	if links != secret.DeriveKey("links") {
		t.Error("the same purpose gives another secret")
	}
	for name, other := range map[string][32]byte{
		"another purpose": secret.DeriveKey("backup"), "another installation": auth.InstallationSecret{2}.DeriveKey("links"),
		"itself": secret, "nothing": {},
	} {
		if links == other {
			t.Errorf("it is that of %s", name)
		}
	}
}
