package auth

import (
	"crypto/subtle"
	"strconv"
	"strings"
	"time"

	"munadi/store/account"
)

// DeviceFor is how long a device cookie is valid.
const DeviceFor = 180 * 24 * time.Hour

// DeviceToken returns the value of a device cookie (OWASP, "Slow down online guessing attacks with device cookies"):
// a browser that has signed in as u has a failure counter of its own, so that attackers who guess at the account do
// not lock it out. It grants no access. Form: expiry in Unix seconds, base 36 "." nonce "." HMAC over both and the
// user's name.
func (a *AccountService) DeviceToken(u account.User) string {
	body := strconv.FormatInt(a.now().Add(DeviceFor).Unix(), 36) + "." + newToken()
	return body + "." + a.deviceMAC(body, u.Name)
}

func (a *AccountService) deviceMAC(body, name string) string {
	return computeMAC(a.devices, body+"\x00"+nameKey(name))
}

// deviceKey returns the key under which failures of the browser with a device cookie are counted; empty if the cookie
// is invalid for that name, or has expired.
func (a *AccountService) deviceKey(cookie, name string) string {
	cut := strings.LastIndexByte(cookie, '.')
	if cut < 0 {
		return ""
	}
	body := cookie[:cut]
	if subtle.ConstantTimeCompare([]byte(cookie[cut+1:]), []byte(a.deviceMAC(body, name))) != 1 {
		return ""
	}
	end, _, _ := strings.Cut(body, ".")
	until, err := strconv.ParseInt(end, 36, 64)
	if err != nil || a.now().Unix() >= until {
		return ""
	}
	return "device/" + body
}

// countedUnder returns the counters of a sign-in's failures: that of the browser where it has signed in as that user
// before, else those of the account (all other browsers together) and of the address.
func (a *AccountService) countedUnder(name string, from SignInOrigin) []lockoutSubject {
	if key := a.deviceKey(from.Device, name); key != "" {
		return []lockoutSubject{{key, freeByAccount}}
	}
	return []lockoutSubject{{nameKey(name), freeByAccount}, {"address/" + addressNetwork(from.Address), freeByAddress}}
}
