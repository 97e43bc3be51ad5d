package alert

import (
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"munadi/store/excerpt"
)

// MailState is the state of an e-mail.
type MailState string

// States. pending ─sent→ sent; ─failed→ pending again after a pause, or failed after [MaxMailTries].
const (
	MailPending MailState = "pending"
	MailSent    MailState = "sent"
	MailFailed  MailState = "failed"
)

// Limits of e-mails.
const (
	MaxRecipients = 5
	MaxAddress    = 254 // bytes of an address (RFC 5321)
	MaxMailTries  = 6
	MaxMails      = 60 // e-mails that stay listed
	// MaxMailsAnHour limits an organization's e-mails in any hour, so that a flapping condition does not fill a mailbox.
	// Further ones are dropped.
	MaxMailsAnHour = 40
	// MailLease is how long an appliance may take to send an e-mail that it claimed, before another one tries.
	MailLease = 2 * time.Minute
)

// mailPause returns the pause after the n-th failed attempt.
func mailPause(n int) time.Duration {
	pauses := []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour}
	return pauses[min(max(n-1, 0), len(pauses)-1)]
}

// AlertMail is one e-mail to one address.
type AlertMail struct {
	ID        string     `json:"id"` // a UUID, also of its Message-ID
	AlertID   string     `json:"alert_id"`
	Event     AlertEvent `json:"event"`
	To        string     `json:"to"`
	State     MailState  `json:"state"`
	Tries     int        `json:"tries"`
	CreatedAt time.Time  `json:"created_at"`
	NextAt    time.Time  `json:"next_at"` // time of the next attempt, while pending
	Error     string     `json:"error,omitempty"`
}

// QueueMail queues the e-mails of an event for all addresses; it returns the number that [MaxMailsAnHour] dropped.
func (b *AlertBoard) QueueMail(a Alert, event AlertEvent, to []string, now time.Time) (left int) {
	recent := 0
	for _, m := range b.Mails {
		if m.CreatedAt.After(now.Add(-time.Hour)) {
			recent++
		}
	}
	for _, address := range to {
		if recent >= MaxMailsAnHour {
			left++
			continue
		}
		recent++
		b.Mails = append(b.Mails[:len(b.Mails):len(b.Mails)], AlertMail{
			ID: uuid.NewString(), AlertID: a.ID, Event: event, To: address, State: MailPending, CreatedAt: now, NextAt: now,
		})
	}
	b.Mails = b.Mails[max(0, len(b.Mails)-MaxMails):]
	return left
}

// NextMail returns when the next pending e-mail is to be sent; zero without one.
func (b *AlertBoard) NextMail() (next time.Time) {
	for _, m := range b.Mails {
		if m.State == MailPending && (next.IsZero() || m.NextAt.Before(next)) {
			next = m.NextAt
		}
	}
	return next
}

// ClaimMail returns the first e-mail whose time has come, under a lease of [MailLease]. The attempt is counted on
// claiming: one that a crash interrupts is repeated, up to the limit.
func (b *AlertBoard) ClaimMail(now time.Time) (AlertMail, bool) {
	for i := range b.Mails {
		m := &b.Mails[i]
		if m.State != MailPending || m.NextAt.After(now) {
			continue
		}
		if m.Tries >= MaxMailTries {
			m.State = MailFailed
			continue
		}
		m.Tries, m.NextAt = m.Tries+1, now.Add(MailLease)
		return *m, true
	}
	return AlertMail{}, false
}

// RecordMail records an attempt's outcome, an empty fault for success. A permanent failure (an address that the server
// refuses) is not tried again.
func (b *AlertBoard) RecordMail(id, fault string, permanent bool, now time.Time) {
	for i := range b.Mails {
		m := &b.Mails[i]
		if m.ID != id || m.State != MailPending {
			continue
		}
		m.Error = fault
		switch {
		case fault == "":
			m.State, m.NextAt = MailSent, time.Time{}
		case permanent || m.Tries >= MaxMailTries:
			m.State, m.NextAt = MailFailed, time.Time{}
		default:
			m.NextAt = now.Add(mailPause(m.Tries))
		}
	}
}

// CheckAddress validates an e-mail address in settings and forms: name@host alone, without a display name
// or characters that could end a header line.
func CheckAddress(text string) error {
	parsed, err := mail.ParseAddress(text)
	switch {
	case len(text) > MaxAddress:
		return fmt.Errorf("an e-mail address must have at most %d bytes", MaxAddress)
	case err != nil || parsed.Name != "" || parsed.Address != text || strings.ContainsFunc(text, isUnsafe):
		return fmt.Errorf("%q is not an e-mail address of the form name@example.com", excerpt.TruncateText(text, 60))
	}
	return nil
}

// isUnsafe reports characters that no address of a setting needs: quoting, spaces and control characters.
func isUnsafe(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`"<>,;\`, r)
}

// CheckRecipients validates an organization's addresses, at most [MaxRecipients], each once.
func CheckRecipients(all []string) error {
	if len(all) > MaxRecipients {
		return fmt.Errorf("at most %d addresses are accepted", MaxRecipients)
	}
	for i, one := range all {
		if err := CheckAddress(one); err != nil {
			return err
		}
		if slices.Contains(all[:i], one) {
			return fmt.Errorf("%q is listed twice", one)
		}
	}
	return nil
}
