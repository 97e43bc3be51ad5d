package auth_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"munadi/appliance/auth"
)

// lockOut guesses passwords from new addresses until the account is locked.
func (h *accountsFixture) lockOut(t *testing.T, name string) {
	t.Helper()
	for i := range 6 {
		_, _, err := h.SignIn(t.Context(), name, "wrong password", auth.SignInOrigin{Address: fmt.Sprintf("198.51.100.%d", i)})
		var locked *auth.LockedError
		if !errors.Is(err, auth.ErrWrong) && !errors.As(err, &locked) {
			t.Fatal(err)
		}
	}
}

// TestKnownBrowserIsNotLockedOut checks that a lockout by wrong guesses does not affect a browser that has signed in
// before.
func TestKnownBrowserIsNotLockedOut(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	u := h.addUser(t, "amal")
	known := here
	known.Device = h.DeviceToken(u)
	var locked *auth.LockedError
	for range 3 {
		h.lockOut(t, "amal")
		if _, _, err := h.SignIn(t.Context(), "amal", goodPassword, here); !errors.As(err, &locked) {
			t.Errorf("a stranger with the right password: %v", err)
		}
		if _, _, err := h.SignIn(t.Context(), "AMAL", goodPassword, known); err != nil {
			t.Errorf("the known browser: %v", err)
		}
		if _, _, err := h.SignIn(t.Context(), "amal", goodPassword, here); !errors.As(err, &locked) {
			t.Errorf("its sign-in lets strangers guess on: %v", err)
		}
		h.advanceTime(locked.Until.Sub(h.currentTime()))
	}
}

// TestKnownBrowserHasACounter checks that a browser with the device cookie is limited too, and does not lock others
// out.
func TestKnownBrowserHasACounter(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	u := h.addUser(t, "amal")
	known, other := auth.SignInOrigin{Address: "192.0.2.1", Device: h.DeviceToken(u)}, auth.SignInOrigin{Address: "192.0.2.1"}
	other.Device = h.DeviceToken(u)
	for i := range 5 {
		if _, _, err := h.SignIn(t.Context(), "amal", "wrong password", known); !errors.Is(err, auth.ErrWrong) {
			t.Fatalf("attempt %d: %v", i, err)
		}
	}
	var locked *auth.LockedError
	if _, _, err := h.SignIn(t.Context(), "amal", goodPassword, known); !errors.As(err, &locked) {
		t.Errorf("after five failures: %v", err)
	}
	for name, from := range map[string]auth.SignInOrigin{"another known browser": other, "a stranger": {Address: "192.0.2.1"}} {
		if _, _, err := h.SignIn(t.Context(), "amal", goodPassword, from); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDeviceTokensAreBound checks that device tokens are valid for their user, until their expiry, and in their
// installation only.
func TestDeviceTokensAreBound(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	amal, zaid := h.addUser(t, "amal"), h.addUser(t, "zaid")
	good := h.DeviceToken(amal)
	body := good[:strings.LastIndexByte(good, '.')]
	h.lockOut(t, "amal")
	try := func(device string) error {
		_, _, err := h.SignIn(t.Context(), "amal", goodPassword, auth.SignInOrigin{Address: "192.0.2.9", Device: device})
		return err
	}
	var locked *auth.LockedError
	for what, device := range map[string]string{
		"another user's": h.DeviceToken(zaid), "none": "", "garbage": "x.y.z", "dots": "...", "cut": good[:len(good)-1],
		"without its end": strings.TrimLeft(good, "0123456789abcdefghijklmnopqrstuvwxyz"), "unsigned": body + ".",
		"longer": "1" + good,
	} {
		if err := try(device); !errors.As(err, &locked) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := try(good); err != nil {
		t.Errorf("the right one: %v", err)
	}
	h.advanceTime(auth.DeviceFor)
	h.lockOut(t, "amal")
	if err := try(good); !errors.As(err, &locked) {
		t.Errorf("one that is too old: %v", err)
	}
}

// TestPasswordIsChangedWhileStrangersGuess checks that failures within a session are counted separately.
func TestPasswordIsChangedWhileStrangersGuess(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	u := h.addUser(t, "amal")
	token, _, err := h.SignIn(t.Context(), "amal", goodPassword, here)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := h.LookUpSession(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	h.lockOut(t, "amal")
	for range 5 {
		if err := h.ChangePassword(t.Context(), u, s, "wrong password", goodPassword+"!"); !errors.Is(err, auth.ErrWrong) {
			t.Fatalf("a wrong old password: %v", err)
		}
	}
	var locked *auth.LockedError
	if err := h.ChangePassword(t.Context(), u, s, goodPassword, goodPassword+"!"); !errors.As(err, &locked) {
		t.Errorf("after five failures of the session: %v", err)
	}
	h.advanceTime(time.Minute)
	h.lockOut(t, "amal")
	if err := h.ChangePassword(t.Context(), u, s, goodPassword, goodPassword+"!"); err != nil {
		t.Errorf("the right old password: %v", err)
	}
	if _, _, err := h.SignIn(t.Context(), "amal", goodPassword+"!", here); err != nil {
		t.Errorf("a new password lifts the lock: %v", err)
	}
}

// FuzzDeviceToken checks that only issued tokens are accepted.
func FuzzDeviceToken(f *testing.F) {
	f.Add("")
	f.Add("z.y.x")
	f.Add(strings.Repeat(".", 5000))
	f.Fuzz(func(t *testing.T, cookie string) {
		if key := auth.DeviceKey(cookie, "amal"); key != "" {
			t.Errorf("%q counts under %q", cookie, key)
		}
	})
}
