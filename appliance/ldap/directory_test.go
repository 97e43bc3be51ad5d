package ldap_test

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	goldap "github.com/go-ldap/ldap/v3"

	"munadi/appliance/auth"
	"munadi/appliance/config"
	"munadi/appliance/ldap"
	"munadi/appliance/ldap/ldaptest"
	"munadi/store/account"
)

// open opens the directory of a server.
func open(t *testing.T, c *config.Config) *ldap.Directory {
	t.Helper()
	d, err := ldap.OpenDirectory(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// ask asks for a person, and returns how many passwords the directory was about to be asked for.
func ask(t *testing.T, d *ldap.Directory, name, password string) (auth.ExternalIdentity, int, error) {
	t.Helper()
	bound := 0
	who, err := d.Authenticate(t.Context(), name, password, "here", func(string) error { bound++; return nil })
	return who, bound, err
}

// TestDirectory asks a real slapd: people have the role of the first rule whose group they are in, whatever attribute
// they are found by, and nobody gets in with less than the right password of one person.
func TestDirectory(t *testing.T) {
	t.Parallel()
	s := ldaptest.StartServer(t)
	c := s.Settings()
	c.LDAPFilter = "(|(uid={name})(mail={name}))"
	d := open(t, c)
	for what, p := range map[string]struct {
		name, password string
		want           error
		role           account.UserRole
		org            string
	}{
		"by name":              {"amal", ldaptest.PasswordOf("amal"), nil, account.Owner, account.Default},
		"by another attribute": {"amal@example.com", ldaptest.PasswordOf("amal"), nil, account.Owner, account.Default},
		"in capitals":          {"AMAL", ldaptest.PasswordOf("amal"), nil, account.Owner, account.Default},
		"a lesser role":        {"badr", ldaptest.PasswordOf("badr"), nil, account.Operator, account.Default},
		"an organization":      {"dalal", ldaptest.PasswordOf("dalal"), nil, account.Viewer, "clinic"},
		"in no group":          {"outsider", ldaptest.PasswordOf("outsider"), auth.ErrNoAccount, "", ""},
		"wrong password":       {"amal", "wrong", auth.ErrWrong, "", ""},
		"another's password":   {"amal", ldaptest.PasswordOf("badr"), auth.ErrWrong, "", ""},
		"no password":          {"amal", "", auth.ErrWrong, "", ""},
		"a zero byte":          {"amal", "\x00x", auth.ErrWrong, "", ""},
		"a long password":      {"amal", strings.Repeat("x", 5000), auth.ErrWrong, "", ""},
		"nobody":               {"nobody", "x", auth.ErrWrong, "", ""},
		"no name":              {"", "x", auth.ErrWrong, "", ""},
		"two of a name":        {"twin", ldaptest.PasswordOf("twin"), auth.ErrWrong, "", ""},
		"a star":               {"*", ldaptest.PasswordOf("amal"), auth.ErrWrong, "", ""},
		"the beginning":        {"am*", ldaptest.PasswordOf("amal"), auth.ErrWrong, "", ""},
		"another filter":       {"x)(uid=amal", ldaptest.PasswordOf("amal"), auth.ErrWrong, "", ""},
		"a wider filter":       {"amal)(|(uid=*", ldaptest.PasswordOf("amal"), auth.ErrWrong, "", ""},
		"an end of text":       {"amal\x00", ldaptest.PasswordOf("amal"), auth.ErrWrong, "", ""},
		"a placeholder":        {"{dn}", "x", auth.ErrWrong, "", ""},
		"the searcher":         {"munadi", ldaptest.Password, auth.ErrWrong, "", ""},
		"a name as DN":         {ldaptest.FormatDN("amal"), ldaptest.PasswordOf("amal"), auth.ErrWrong, "", ""},
	} {
		who, _, err := ask(t, d, p.name, p.password)
		if !errors.Is(err, p.want) || (err == nil) != (p.want == nil) || who.Role != p.role || who.OrgID != p.org {
			t.Errorf("%s: %+v, %v, want %v", what, who, err, p.want)
		}
		if err == nil && (who.Issuer != "ldap:dc=example,dc=com" || who.Subject == "" || who.Name != p.name) {
			t.Errorf("%s: %+v", what, who)
		}
	}
}

// TestRefusalReasons checks the reasons that Samba's domain controller gave, and that a wrong password has none.
func TestRefusalReasons(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{
		"52e": "", "525": "", "533": "the account is disabled", "773": "the password must be changed first",
		"775": "the account is locked", "701": "the account has expired",
	} {
		refused := goldap.NewError(goldap.LDAPResultInvalidCredentials,
			errors.New("80090308: LdapErr: DSID-0C0903A9, comment: AcceptSecurityContext error, data "+data+", v1db1"))
		reason, explained := errors.AsType[auth.DirectoryReason](ldap.ExplainRefusal(refused))
		if string(reason) != want || explained != (want != "") {
			t.Errorf("%s: %q", data, reason)
		}
	}
	if err := ldap.ExplainRefusal(nil); err != nil {
		t.Error(err)
	}
}

// TestDirectoryChanges: a person stays the same one under another name and entry, and is gone without entry or group.
func TestDirectoryChanges(t *testing.T) {
	t.Parallel()
	s := ldaptest.StartServer(t)
	d := open(t, s.Settings())
	amal, _, err := ask(t, d, "amal", ldaptest.PasswordOf("amal"))
	if err != nil {
		t.Fatal(err)
	}
	s.Change(func(c *goldap.Conn) error {
		renamed := goldap.NewModifyRequest(ldaptest.FormatDN("amal"), nil)
		renamed.Replace("uid", []string{"amal.new"})
		moved := goldap.NewModifyDNRequest(ldaptest.FormatDN("amal"), "cn=amal2", true, "")
		group := goldap.NewModifyRequest("cn=admins,ou=groups,dc=example,dc=com", nil)
		group.Replace("member", []string{ldaptest.FormatDN("amal2")})
		return errors.Join(c.Modify(renamed), c.ModifyDN(moved), c.Modify(group))
	})
	again, _, err := ask(t, d, "amal.new", ldaptest.PasswordOf("amal"))
	if err != nil || again.Subject != amal.Subject || again.Role != account.Owner {
		t.Errorf("after another name: %+v, %v, before %+v", again, err, amal)
	}
	if who, err := d.FindPerson(t.Context(), "amal", amal.Subject); err != nil || who.Role != account.Owner {
		t.Errorf("looked up: %+v, %v", who, err)
	}
	s.Change(func(c *goldap.Conn) error {
		return c.Del(goldap.NewDelRequest("cn=admins,ou=groups,dc=example,dc=com", nil))
	})
	if who, err := d.FindPerson(t.Context(), "amal", amal.Subject); !errors.Is(err, auth.ErrNoAccount) {
		t.Errorf("without a group: %+v, %v", who, err)
	}
	s.Change(func(c *goldap.Conn) error { return c.Del(goldap.NewDelRequest(ldaptest.FormatDN("badr"), nil)) })
	if who, _, err := ask(t, d, "badr", ldaptest.PasswordOf("badr")); !errors.Is(err, auth.ErrWrong) {
		t.Errorf("without an entry: %+v, %v", who, err)
	}
	if _, err := d.FindPerson(t.Context(), "x", "no hexadecimal"); !errors.Is(err, auth.ErrNoAccount) {
		t.Error(err)
	}
}

// TestDirectoryRefusals: a directory that is not the one of the settings, or does not do what they say, gets no password
// of a person.
func TestDirectoryRefusals(t *testing.T) {
	t.Parallel()
	s, other := ldaptest.StartServer(t), ldaptest.StartServer(t)
	for what, edit := range map[string]func(*config.Config){
		"another authority":            func(c *config.Config) { c.LDAPCA = other.CA },
		"the system's authorities":     func(c *config.Config) { c.LDAPCA = "" },
		"another name than certified":  func(c *config.Config) { c.LDAPURL = strings.Replace(s.Secure, "127.0.0.1", "localhost", 1) },
		"StartTLS, another authority":  func(c *config.Config) { c.LDAPURL, c.LDAPCA = s.Plain, other.CA },
		"TLS at the plain port":        func(c *config.Config) { c.LDAPURL = strings.Replace(s.Plain, "ldap:", "ldaps:", 1) },
		"the searcher's password":      func(c *config.Config) { c.LDAPBindPassword = "wrong" },
		"no base":                      func(c *config.Config) { c.LDAPBase = "dc=nowhere,dc=com" },
		"a base elsewhere (referral)":  func(c *config.Config) { c.LDAPBase = "ou=elsewhere,dc=example,dc=com" },
		"no attribute that identifies": func(c *config.Config) { c.LDAPID = "telephoneNumber" },
		"nobody listens":               func(c *config.Config) { c.LDAPURL = "ldap://127.0.0.1:1" },
	} {
		c := s.Settings()
		edit(c)
		d := open(t, c)
		if who, bound, err := ask(t, d, "amal", ldaptest.PasswordOf("amal")); !errors.Is(err, auth.ErrDirectoryAway) || bound > 0 || who.Role != "" {
			t.Errorf("%s: %+v, %v, the password was sent %d times", what, who, err, bound)
		}
		if _, err := d.CheckSearch(t.Context()); err == nil {
			t.Errorf("%s: the check says that all is well", what)
		}
	}
	c := s.Settings()
	c.LDAPGroupBase = "ou=nowhere,dc=example,dc=com"
	if who, _, err := ask(t, open(t, c), "amal", ldaptest.PasswordOf("amal")); !errors.Is(err, auth.ErrDirectoryAway) || who.Role != "" {
		t.Errorf("no base of groups: %+v, %v", who, err)
	}
	for what, edit := range map[string]func(*config.Config){
		"StartTLS":        func(c *config.Config) { c.LDAPURL = s.Plain },
		"without TLS":     func(c *config.Config) { c.LDAPURL, c.LDAPStartTLS = s.Plain, false },
		"posixGroup form": func(c *config.Config) { c.LDAPGroupFilter = "(|(memberUid={name})(member={dn}))" },
	} {
		c := s.Settings()
		edit(c)
		d := open(t, c)
		if who, bound, err := ask(t, d, "amal", ldaptest.PasswordOf("amal")); err != nil || bound != 1 || who.Role != account.Owner {
			t.Errorf("%s: %+v, %v", what, who, err)
		}
		if missing, err := d.CheckSearch(t.Context()); err != nil || len(missing) > 0 {
			t.Errorf("%s: no group %q, %v", what, missing, err)
		}
	}
	stop := errors.New("too many failures")
	_, err := open(t, s.Settings()).Authenticate(t.Context(), "amal", ldaptest.PasswordOf("amal"), "", func(string) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("a locked person: %v", err)
	}
}

// TestSilentDirectory: a directory that says nothing, or nothing more after it agreed to StartTLS, ends in time.
func TestSilentDirectory(t *testing.T) {
	t.Parallel()
	// An extended response (RFC 4511, 4.12) to message 1 with the result success.
	agreed := "\x30\x0c\x02\x01\x01\x78\x07\x0a\x01\x00\x04\x00\x04\x00"
	for what, answer := range map[string]string{
		"at once": "", "after StartTLS": agreed, "no LDAP": "HTTP/1.1 400 Bad Request\r\n\r\n",
		"an answer of 2 GiB": "\x30\x84\x7f\xff\xff\xf0\x02\x01\x01",
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				go func() { _, _ = c.Write([]byte(answer)); _, _ = io.Copy(io.Discard, c) }()
			}
		}()
		c := config.Default()
		c.LDAPURL, c.LDAPBase, c.LDAPBindDN, c.LDAPBindPassword = "ldap://"+l.Addr().String(), "dc=example,dc=com", ldaptest.Searcher, "x"
		d := open(t, c)
		d.SetPatience(50 * time.Millisecond)
		if _, _, err := ask(t, d, "amal", "x"); !errors.Is(err, auth.ErrDirectoryAway) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestLDAPSettings: names and filters that no directory understands are found before a start.
func TestLDAPSettings(t *testing.T) {
	t.Parallel()
	for setting, edit := range map[string]func(*config.Config){
		"ldap-base":         func(c *config.Config) { c.LDAPBase = "example.com" },
		"ldap-group-base":   func(c *config.Config) { c.LDAPGroupBase = "groups" },
		"ldap-bind-dn":      func(c *config.Config) { c.LDAPBindDN = "munadi" },
		"ldap-filter":       func(c *config.Config) { c.LDAPFilter = "(uid=amal)" },
		"ldap-group-filter": func(c *config.Config) { c.LDAPGroupFilter = "(member={dn}" },
	} {
		c := config.Default()
		c.LDAPURL, c.LDAPBase, c.LDAPBindDN = "ldap://127.0.0.1:1", "dc=example,dc=com", "munadi@example.com"
		if _, err := ldap.OpenDirectory(c); !errors.Is(err, ldap.ErrNoPassword) { // with which a bind would be anonymous
			t.Error(err)
		}
		if faults := ldap.CheckSettings(c); len(faults) > 0 {
			t.Errorf("%s: %v", setting, faults)
		}
		edit(c)
		if faults := ldap.CheckSettings(c); len(faults) != 1 || faults[setting] == nil {
			t.Errorf("%s: %v", setting, faults)
		}
		if _, err := ldap.OpenDirectory(c); err == nil || !strings.HasPrefix(err.Error(), setting) {
			t.Errorf("%s: %v", setting, err)
		}
	}
}
