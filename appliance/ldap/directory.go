// Package ldap asks the company's LDAP directory (RFC 4511) whether a name and a password belong together, and for the
// person's groups: search with an account of the appliance, then bind as the entry found.
//
// It speaks to the directory of the settings alone, follows no referral, and knows neither HTTP handlers nor the store:
// package auth turns its identities into users and sessions.
package ldap

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"time"

	ber "github.com/go-asn1-ber/asn1-ber"
	"github.com/go-ldap/ldap/v3"

	"munadi/appliance/auth"
	"munadi/appliance/config"
	"munadi/appliance/quota"
	"munadi/store/account"
)

const (
	connectTime  = 5 * time.Second  // for the connection and TLS
	exchangeTime = 10 * time.Second // for all of a sign-in, with the connection
	maxPassword  = 4096             // bytes
	maxGroups    = 200              // entries: groups of the same name below several units

	// Sign-ins under way, in all and of one client; further ones are refused with [auth.ErrBusy].
	maxExchanges      = 32
	exchangesOfClient = 8
)

func init() { ber.MaxPacketLengthBytes = 1 << 20 } // of one answer; by default 2 GiB

// Directory is the company's directory. It is safe for concurrent use.
type Directory struct {
	settings *config.Config
	password string // of ldap-bind-dn
	tls      *tls.Config
	rules    []config.RoleRule
	busy     *quota.Quota
	patience time.Duration // for an exchange
}

// ErrNoPassword means that there is no password of ldap-bind-dn.
var ErrNoPassword = errors.New("ldap-bind-password-file is required with ldap-url, or MUNADI_LDAP_BIND_PASSWORD")

// OpenDirectory returns the directory of the settings; nil without one. It reads the files of the password and the CA,
// and connects to nothing. [ErrNoPassword] without the password of the account that searches.
func OpenDirectory(c *config.Config) (*Directory, error) {
	host, _, _, err := c.LDAPServer()
	if err != nil || host == "" {
		return nil, err
	}
	for setting, err := range CheckSettings(c) {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	d := &Directory{
		settings: c, tls: &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12},
		rules: c.LDAPRoles.ListRules(), busy: quota.NewQuota(maxExchanges, exchangesOfClient),
		patience: exchangeTime,
	}
	if d.tls.RootCAs, err = config.ReadAuthorities("ldap-ca", c.LDAPCA); err != nil {
		return d, err
	}
	d.password, err = config.ReadSecret("ldap-bind-password-file", c.LDAPBindPasswordFile, c.LDAPBindPassword)
	if err == nil && d.password == "" {
		err = ErrNoPassword
	}
	return d, err
}

// CheckSettings returns the faults of the distinguished names and filters of the settings, by setting.
func CheckSettings(c *config.Config) map[string]error {
	faults := map[string]error{}
	for setting, dn := range map[string]string{
		"ldap-base": c.LDAPBase, "ldap-group-base": c.LDAPGroupBase, "ldap-bind-dn": c.LDAPBindDN,
	} {
		_, err := ldap.ParseDN(dn)
		isMail := setting == "ldap-bind-dn" && strings.Contains(dn, "@") // a userPrincipalName of Active Directory
		if err != nil && !isMail {
			faults[setting] = fmt.Errorf("%q is not a distinguished name, such as ou=people,dc=example,dc=com", dn)
		}
	}
	for setting, filter := range map[string]string{
		"ldap-filter": c.LDAPFilter, "ldap-group-filter": c.LDAPGroupFilter,
	} {
		_, err := ldap.CompileFilter(fillFilter(filter, "x", "x"))
		byName := strings.Contains(filter, "{name}")
		byDN := setting == "ldap-group-filter" && strings.Contains(filter, "{dn}")
		if err != nil || !byName && !byDN {
			faults[setting] = fmt.Errorf("%q is not a filter with {name}, such as (uid={name}) (RFC 4515)", filter)
		}
	}
	return faults
}

// fillFilter puts a name and a distinguished name into a filter, which they cannot change.
func fillFilter(filter, name, dn string) string {
	return strings.NewReplacer("{name}", ldap.EscapeFilter(name), "{dn}", ldap.EscapeFilter(dn)).Replace(filter)
}

// Issuer returns what stands for the directory in accounts.
func (d *Directory) Issuer() string { return d.settings.LDAPIssuer() }

// Authenticate returns the person whose name and password these are. attempt is called before the person's password is
// tried, so that failures can be limited before the directory counts them. Its errors: [auth.ErrWrong] for an unknown
// name or a wrong password, which take as many steps, [auth.ErrNoAccount] without a role, with the person,
// [auth.ErrDirectoryAway], [auth.ErrBusy], those of attempt.
func (d *Directory) Authenticate(
	ctx context.Context, name, password, client string, attempt func(subject string) error,
) (who auth.ExternalIdentity, err error) {
	// An empty password is an unauthenticated bind, which succeeds for everybody (RFC 4513, 5.1.2); so it is for a
	// server that reads the password as a C string which begins with a zero byte.
	if name == "" || password == "" || len(password) > maxPassword || strings.ContainsRune(password, 0) {
		return who, auth.ErrWrong
	}
	err = d.exchange(ctx, client, func(c *ldap.Conn) error {
		entry, err := d.findPerson(c, d.settings.LDAPFilter, name)
		unknown := errors.Is(err, auth.ErrNoAccount)
		if err != nil && !unknown {
			return err
		}
		dn := "cn=" + rand.Text() + "," + d.settings.LDAPBase // nobody's: an unknown name takes as many steps
		if !unknown {
			dn = entry.DN
			if err := attempt(d.subjectOf(entry)); err != nil {
				return err
			}
		}
		refused := c.Bind(dn, password)
		switch {
		case isRefusal(refused), refused == nil && unknown:
			return errors.Join(auth.ErrWrong, err, explainRefusal(refused))
		case refused != nil:
			return away("the password could not be checked", refused)
		}
		if err := c.Bind(d.settings.LDAPBindDN, d.password); err != nil {
			return away("ldap-bind-dn", err)
		}
		who, err = d.describePerson(c, entry, name)
		return err
	})
	return who, err
}

// isRefusal reports whether a directory has refused a name or password.
func isRefusal(err error) bool {
	return ldap.IsErrorAnyOf(err, ldap.LDAPResultInvalidCredentials, ldap.LDAPResultInappropriateAuthentication,
		ldap.LDAPResultUnwillingToPerform, ldap.LDAPResultNoSuchObject, ldap.LDAPResultConstraintViolation,
		ldap.LDAPResultInvalidDNSyntax)
}

// refusalData matches the reason in the message of Active Directory, also of Samba, to a refused password.
var refusalData = regexp.MustCompile(`\bdata ([0-9a-f]+)\b`)

// refusalReasons are the reasons other than a wrong name or password: codes of Windows in hexadecimal.
var refusalReasons = map[string]auth.DirectoryReason{
	"530": "the account may not sign in at this time",
	"531": "the account may not sign in from here",
	"532": "the password has expired",
	"533": "the account is disabled",
	"701": "the account has expired",
	"773": "the password must be changed first",
	"775": "the account is locked",
}

// explainRefusal returns why a directory refused a password that may be right; nil if it does not say so. It is for the
// log: who signs in must not learn whether the password is right.
func explainRefusal(refused error) error {
	if refused == nil {
		return nil
	}
	if found := refusalData.FindStringSubmatch(refused.Error()); found != nil && refusalReasons[found[1]] != "" {
		return refusalReasons[found[1]]
	}
	return nil
}

// FindPerson returns the person of a subject with today's role; [auth.ErrNoAccount] for one who has left the directory
// or every group with a role, [auth.ErrDirectoryAway], [auth.ErrBusy].
func (d *Directory) FindPerson(ctx context.Context, name, subject string) (who auth.ExternalIdentity, err error) {
	raw, err := hex.DecodeString(subject)
	if err != nil {
		return who, auth.ErrNoAccount
	}
	filter := "(&" + d.anyName() + "(" + d.settings.LDAPID + "=" + ldap.EscapeFilter(string(raw)) + "))"
	err = d.exchange(ctx, "", func(c *ldap.Conn) error {
		entry, err := d.findPerson(c, filter, "")
		if err != nil {
			return err
		}
		who, err = d.describePerson(c, entry, name)
		return err
	})
	return who, err
}

// anyName returns the filter with * as the name, which finds everybody whom it finds by some name (presence, RFC 4515).
func (d *Directory) anyName() string { return strings.ReplaceAll(d.settings.LDAPFilter, "{name}", "*") }

// groupBase returns the distinguished name below which groups are searched.
func (d *Directory) groupBase() string { return cmp.Or(d.settings.LDAPGroupBase, d.settings.LDAPBase) }

// Address returns the host and port of the directory.
func (d *Directory) Address() string { return d.settings.LDAPAddress() }

// exchange runs do in a connection of its own, bound as the account that searches.
func (d *Directory) exchange(ctx context.Context, client string, do func(*ldap.Conn) error) error {
	if d.busy.TakeUnits(client, 1) != nil {
		return auth.ErrBusy
	}
	defer d.busy.ReleaseUnits(client, 1)
	c, err := d.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	if err := c.Bind(d.settings.LDAPBindDN, d.password); err != nil {
		return away("ldap-bind-dn", err)
	}
	return do(c)
}

// connect opens an encrypted connection, which lives for a limited time; a directory without StartTLS is
// refused unless ldap-starttls is false.
func (d *Directory) connect(ctx context.Context) (*ldap.Conn, error) {
	_, _, fromStart, _ := d.settings.LDAPServer()
	raw, err := (&net.Dialer{Timeout: connectTime}).DialContext(ctx, "tcp", d.settings.LDAPAddress())
	if err != nil {
		return nil, away("", err)
	}
	if err := raw.SetDeadline(time.Now().Add(d.patience)); err != nil { // of TLS, too, which has none in StartTLS
		return nil, errors.Join(err, raw.Close())
	}
	stream := net.Conn(raw)
	if fromStart {
		stream = tls.Client(raw, d.tls)
	}
	c := ldap.NewConn(stream, fromStart)
	c.SetTimeout(d.patience)
	c.Start()
	if fromStart || !d.settings.LDAPStartTLS {
		return c, nil
	}
	if err := c.StartTLS(d.tls); err != nil {
		_ = c.Close()
		return nil, away("StartTLS", err)
	}
	return c, nil
}

// findPerson returns the one entry that a filter finds; [auth.ErrNoAccount] for none, and for several, since nobody
// knows whose the password is.
func (d *Directory) findPerson(c *ldap.Conn, filter, name string) (*ldap.Entry, error) {
	found, err := d.search(c, d.settings.LDAPBase, fillFilter(filter, name, ""), 2, d.settings.LDAPID)
	switch {
	case ldap.IsErrorWithCode(err, ldap.LDAPResultSizeLimitExceeded), err == nil && len(found) > 1:
		return nil, fmt.Errorf("%w: ldap-filter finds several entries", auth.ErrNoAccount)
	case err != nil:
		return nil, away("ldap-base", err)
	case len(found) == 0 || found[0].DN == "": // with an empty name a bind would be an anonymous one
		return nil, auth.ErrNoAccount
	case d.subjectOf(found[0]) == "":
		return nil, fmt.Errorf("%w: the entry has no attribute %s (ldap-id)", auth.ErrDirectoryAway, d.settings.LDAPID)
	}
	return found[0], nil
}

// search returns the entries that a filter finds. References to other directories are left out.
func (d *Directory) search(c *ldap.Conn, base, filter string, most int, attribute string) ([]*ldap.Entry, error) {
	q := ldap.NewSearchRequest(base, ldap.ScopeWholeSubtree, ldap.NeverDerefAliases, most,
		int(exchangeTime.Seconds()), false, filter, []string{attribute}, nil)
	q.EnforceSizeLimit = true
	found, err := c.Search(q)
	if err != nil {
		return nil, err
	}
	return found.Entries, nil
}

// subjectOf returns what identifies an entry, whose attribute may be binary, in hexadecimal; empty without it.
func (d *Directory) subjectOf(entry *ldap.Entry) string {
	return hex.EncodeToString(entry.GetEqualFoldRawAttributeValue(d.settings.LDAPID))
}

// describePerson returns the identity of an entry, with the role of the first rule whose group the person is in;
// [auth.ErrNoAccount] without one.
func (d *Directory) describePerson(c *ldap.Conn, entry *ldap.Entry, name string) (auth.ExternalIdentity, error) {
	who := auth.ExternalIdentity{Issuer: d.Issuer(), Subject: d.subjectOf(entry), Create: true}
	if account.CheckUserName(name) == nil {
		who.Name = name
	}
	var wanted strings.Builder
	for _, rule := range d.rules {
		wanted.WriteString("(cn=" + ldap.EscapeFilter(rule.Value) + ")")
	}
	filter := "(&" + fillFilter(d.settings.LDAPGroupFilter, name, entry.DN) + "(|" + wanted.String() + "))"
	found, err := d.search(c, d.groupBase(), filter, maxGroups, "cn")
	if err != nil {
		return who, away("ldap-group-base", err)
	}
	var groups []string
	for _, group := range found {
		groups = append(groups, group.GetEqualFoldAttributeValues("cn")...)
	}
	for _, rule := range d.rules {
		if slices.ContainsFunc(groups, func(g string) bool { return strings.EqualFold(g, rule.Value) }) {
			who.Role, who.OrgID = rule.Role, rule.OrgID
			return who, nil
		}
	}
	return who, fmt.Errorf("%w: no rule of ldap-roles fits a group of this person", auth.ErrNoAccount)
}

// away returns the error of a directory that gives no answer to what a setting asks.
func away(setting string, err error) error {
	if setting != "" {
		setting += ": "
	}
	return fmt.Errorf("%w: %s%w", auth.ErrDirectoryAway, setting, err)
}
