package auth

import (
	"crypto/subtle"
	"strconv"
	"strings"
	"time"

	"munadi/store/account"
)

// DeviceFor is how long a device cookie counts.
const DeviceFor = 180 * 24 * time.Hour

// DeviceToken is the value of a device cookie (OWASP, "Slow down online guessing attacks with device cookies"): a
// browser that has signed in as u has failures of its own, so that strangers who guess at the account do not lock it
// out. It opens nothing. Form: end in Unix seconds, base 36 "." nonce "." HMAC over both and the user's name.
func (a *AccountService) DeviceToken(u account.User) string {
	body := strconv.FormatInt(a.now().Add(DeviceFor).Unix(), 36) + "." + newToken()
	return body + "." + a.deviceMAC(body, u.Name)
}

func (a *AccountService) deviceMAC(body, name string) string {
	return computeMAC(a.devices, body+"\x00"+nameKey(name))
}

// deviceKey is what failures of the browser with a device cookie are counted under; empty where the cookie is none for
// that name, or is too old.
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

// countedUnder is what a sign-in's failures are counted under: the browser alone where it has signed in as that user
// before, else the account (all other browsers together) and the address.
func (a *AccountService) countedUnder(name string, from SignInOrigin) []lockoutSubject {
	if key := a.deviceKey(from.Device, name); key != "" {
		return []lockoutSubject{{key, freeByAccount}}
	}
	return []lockoutSubject{{nameKey(name), freeByAccount}, {"address/" + addressNetwork(from.Address), freeByAddress}}
}
