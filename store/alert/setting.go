package alert

import "time"

// The values of [MailSetting.Security], and of the setting smtp-security.
const (
	MailStartTLS = "starttls"
	MailTLS      = "tls"  // from the start
	MailPlain    = "none" // unencrypted
)

// MailSetting is the mail server (SMTP submission agent or relay) that an administrator set in the console; the zero
// value is none.
type MailSetting struct {
	Host     string `json:"host"`
	Port     int    `json:"port,omitempty"` // 0: the usual one of Security
	Security string `json:"security"`
	User     string `json:"user,omitempty"` // empty: no sign-in
	// Password is sealed with a key of the installation, for this host and user only.
	Password  []byte    `json:"password,omitempty"`
	From      string    `json:"from"` // sender address
	UpdatedAt time.Time `json:"updated_at"`
}

// UsualPort returns the port of a mail server that none is set for.
func UsualPort(security string) int {
	return map[string]int{MailStartTLS: 587, MailTLS: 465, MailPlain: 25}[security]
}
