// Package alert defines alerts: conditions that need a person (calling stopped, many failures, a trunk down, a full
// disk, no backup, a receiver of events that is gone), each raised once and followed by one all-clear, and the queue of
// their e-mails.
//
// It is a leaf package of pure rules without database, HTTP or clock. State machine of an alert:
//
//	(none) ─raise→ open ─clear→ past        an open alert of the same kind and subject is not raised again
//	open, past ─acknowledge→ the same state, with the user who saw it
//
// Alerts of an organization are kept in one record, its [AlertBoard]. Those of the installation (disk, backup, trunks,
// database, bucket) are on the board of [munadi/store/account.Default] and marked [Alert.Installation]: only the
// operator sees them.
package alert

import (
	"time"

	"github.com/google/uuid"
)

// AlertKind is the condition that an alert reports.
type AlertKind string

// Kinds. The first three belong to an organization, the others to the installation.
const (
	CallingStopped AlertKind = "calling_stopped" // the organization's kill switch is on
	FailureSpike   AlertKind = "failure_spike"   // far more calls fail than before
	DestinationOff AlertKind = "destination_off" // a destination of events was switched off: all its attempts failed
	TrunkDown      AlertKind = "trunk_down"      // a SIP trunk does not answer, or refuses calls
	NoAudio        AlertKind = "no_audio"        // answered calls of a SIP trunk get no audio
	DiskFull       AlertKind = "disk_full"       // the disk is nearly full
	BackupFailed   AlertKind = "backup_failed"   // backups fail, or the last one is too old
	DatabaseAway   AlertKind = "database_away"   // the shared database did not answer
	BucketAway     AlertKind = "bucket_away"     // recordings cannot go to their bucket
	Overload       AlertKind = "overload"        // audio is sent late: fewer concurrent calls
	LateReplies    AlertKind = "late_replies"    // people wait long for the replies in their calls
)

// IsInstallation reports whether alerts of the kind concern the whole installation instead of one organization.
func (k AlertKind) IsInstallation() bool {
	return k != CallingStopped && k != FailureSpike && k != DestinationOff
}

// AlertEvent is the kind of an alert's notification.
type AlertEvent string

// Events.
const (
	Raised  AlertEvent = "raised"
	Cleared AlertEvent = "cleared"
	Trial   AlertEvent = "trial" // a test e-mail, without an alert
)

// Prefix is the prefix of every alert id; a UUID follows.
const Prefix = "alert_"

// Limits of the alerts stored for an organization.
const (
	MaxOpen = 50 // alerts at a time
	MaxPast = 50 // ended alerts, the newest
)

// Alert is one raised alert.
type Alert struct {
	ID      string    `json:"id"` // [Prefix] and a UUID
	Kind    AlertKind `json:"kind"`
	Subject string    `json:"subject,omitempty"` // a trunk's name, a destination's id; empty if there is only one object
	// Appliance is the host that reports an alert about its own machine; empty for conditions that every appliance
	// observes.
	Appliance    string            `json:"appliance,omitempty"`
	Installation bool              `json:"installation,omitempty"`
	Facts        map[string]string `json:"facts,omitempty"` // figures and names for its sentence, by placeholder
	RaisedAt     time.Time         `json:"raised_at"`
	SeenAt       time.Time         `json:"seen_at"`              // when the condition was last observed
	ClearedAt    *time.Time        `json:"cleared_at,omitempty"` // nil while it is open
	// AcknowledgedAt and AcknowledgedBy record when a user acknowledged the alert and the actor, as in the audit trail.
	AcknowledgedAt *time.Time `json:"acknowledged_at,omitempty"`
	AcknowledgedBy string     `json:"acknowledged_by,omitempty"`
}

// AlertBoard is an organization's alerts.
type AlertBoard struct {
	Open       []Alert     `json:"open,omitempty"`       // oldest first
	Past       []Alert     `json:"past,omitempty"`       // newest first, at most [MaxPast]
	Recipients []string    `json:"recipients,omitempty"` // e-mail addresses, see [CheckRecipients]
	Mails      []AlertMail `json:"mails,omitempty"`      // e-mail queue, oldest first; the last ended ones stay listed
}

// FindOpen returns the open alert of a kind, subject and reporting appliance; nil without one.
func (b *AlertBoard) FindOpen(kind AlertKind, subject, appliance string) *Alert {
	for i, a := range b.Open {
		if a.Kind == kind && a.Subject == subject && a.Appliance == appliance {
			return &b.Open[i]
		}
	}
	return nil
}

// RaiseAlert opens an alert, unless one of the same kind, subject and appliance is open, or [MaxOpen] are; it reports
// whether it did.
func (b *AlertBoard) RaiseAlert(a Alert, now time.Time) (Alert, bool) {
	if b.FindOpen(a.Kind, a.Subject, a.Appliance) != nil || len(b.Open) >= MaxOpen {
		return Alert{}, false
	}
	a.ID, a.RaisedAt, a.SeenAt, a.Installation = Prefix+uuid.NewString(), now, now, a.Kind.IsInstallation()
	b.Open = append(b.Open[:len(b.Open):len(b.Open)], a)
	return a, true
}

// ClearAlert ends an open alert by its id; false when it is not open.
func (b *AlertBoard) ClearAlert(id string, now time.Time) (Alert, bool) {
	for i, a := range b.Open {
		if a.ID != id {
			continue
		}
		a.ClearedAt = &now
		b.Open = append(b.Open[:i:i], b.Open[i+1:]...)
		b.Past = append([]Alert{a}, b.Past[:min(len(b.Past), MaxPast-1)]...)
		return a, true
	}
	return Alert{}, false
}

// AcknowledgeAlert records that actor has seen an alert; false when there is none with this id. The first
// acknowledgement stays.
func (b *AlertBoard) AcknowledgeAlert(id, actor string, now time.Time) (Alert, bool) {
	for _, list := range [][]Alert{b.Open, b.Past} {
		for i := range list {
			if list[i].ID != id {
				continue
			}
			if list[i].AcknowledgedAt == nil {
				list[i].AcknowledgedAt, list[i].AcknowledgedBy = &now, actor
			}
			return list[i], true
		}
	}
	return Alert{}, false
}

// FindAlert returns an alert by its id, open or past.
func (b *AlertBoard) FindAlert(id string) (Alert, bool) {
	for _, list := range [][]Alert{b.Open, b.Past} {
		for _, a := range list {
			if a.ID == id {
				return a, true
			}
		}
	}
	return Alert{}, false
}

// VisibleTo returns the board as a person sees it: without the installation's alerts unless they are the operator.
func (b AlertBoard) VisibleTo(operator bool) AlertBoard {
	if operator {
		return b
	}
	b.Open, b.Past = ofOrganization(b.Open), ofOrganization(b.Past)
	return b
}

func ofOrganization(all []Alert) (own []Alert) {
	for _, a := range all {
		if !a.Installation {
			own = append(own, a)
		}
	}
	return own
}

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
