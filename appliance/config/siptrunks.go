package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"munadi/store/callerid"
)

// DefaultTrunk is the name of the trunk that the setting sip-trunk describes.
const DefaultTrunk = "default"

// trunkLines is the default number of concurrent calls of a trunk.
const trunkLines = 10

// SIPTrunkSettings is one SIP trunk. Codecs, CallsPerSecond, Latch, Callers, CallerIn and Plus default to the settings
// sip-codecs, sip-calls-per-second, sip-latch, sip-callers, sip-caller-in and sip-plus, and Transfer to sip-transfer.
type SIPTrunkSettings struct {
	Name           string   `yaml:"name" json:"name"`
	Trunk          string   `yaml:"trunk" json:"trunk"`                                 // as sip-trunk
	Prefixes       []string `yaml:"prefixes" json:"prefixes,omitempty"`                 // E.164, that it serves; nil: all
	Lines          int      `yaml:"lines" json:"lines,omitempty"`                       // concurrent calls; 0: 10
	User           string   `yaml:"user" json:"user,omitempty"`                         // as sip-user
	PasswordEnv    string   `yaml:"password-env" json:"password-env,omitempty"`         // variable that holds the password
	PasswordFile   string   `yaml:"password-file" json:"password-file,omitempty"`       // file that holds it
	Password       string   `yaml:"-" json:"-"`                                         // of a trunk of the console
	From           string   `yaml:"from" json:"from,omitempty"`                         // as sip-from
	Identity       string   `yaml:"identity" json:"identity,omitempty"`                 // as sip-identity
	Register       bool     `yaml:"register" json:"register,omitempty"`                 // as sip-register
	InboundDigest  string   `yaml:"inbound-digest" json:"inbound-digest,omitempty"`     // as sip-inbound-digest
	SRTP           bool     `yaml:"srtp" json:"srtp,omitempty"`                         // as sip-srtp
	CA             string   `yaml:"ca" json:"ca,omitempty"`                             // as sip-ca
	Authority      string   `yaml:"-" json:"-"`                                         // PEM, of the console
	Listen         string   `yaml:"listen" json:"listen,omitempty"`                     // empty: sip-listen, any port
	Callers        []string `yaml:"callers" json:"callers,omitempty"`                   // as sip-callers
	CallerIn       string   `yaml:"caller-in" json:"caller-in,omitempty"`               // as sip-caller-in
	Codecs         []string `yaml:"codecs" json:"codecs,omitempty"`                     // as sip-codecs
	CallsPerSecond int      `yaml:"calls-per-second" json:"calls-per-second,omitempty"` // as sip-calls-per-second
	Latch          string   `yaml:"latch" json:"latch,omitempty"`                       // as sip-latch
	Transfer       string   `yaml:"transfer" json:"transfer,omitempty"`                 // as sip-transfer
	Plus           string   `yaml:"plus" json:"plus,omitempty"`                         // as sip-plus

	// CallerNumbers are caller numbers by destination, for calls without one that the trunk may show.
	CallerNumbers callerid.NumberRules `yaml:"caller-numbers" json:"caller-numbers,omitempty"`
}

// SIPTrunks is the list of trunks as JSON, in the order in which they are tried; empty: none. In munadi.yaml it is a
// list, in a flag or variable a list as YAML or JSON text.
type SIPTrunks string

// UnmarshalText parses the list and validates each trunk.
func (l *SIPTrunks) UnmarshalText(text []byte) error {
	*l = ""
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	var all []SIPTrunkSettings
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&all); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("is not a list of trunks (name, trunk, prefixes, lines, user, password-env, from, …): %s",
			describeYAML(err))
	}
	seen := map[string]bool{DefaultTrunk: true}
	for i, t := range all {
		if err := t.checkTrunk(); err != nil {
			return fmt.Errorf("trunk %d: %w", i+1, err)
		}
		if seen[t.Name] {
			return fmt.Errorf("trunk %d: name %q is taken by another trunk (%s is that of sip-trunk)", i+1, t.Name, DefaultTrunk)
		}
		seen[t.Name] = true
	}
	if len(all) == 0 {
		return nil
	}
	data, err := json.Marshal(all)
	*l = SIPTrunks(data)
	return err
}

// checkTrunk validates one trunk of the list.
func (t SIPTrunkSettings) checkTrunk() error {
	faults := t.FindFaults()
	switch {
	case len(faults) == 0:
		return nil
	case faults[0].Key == "name":
		return faults[0].Err
	}
	return fmt.Errorf("%s: %w", faults[0].Key, faults[0].Err)
}

// TrunkFault is a field of a trunk that is wrong, and why.
type TrunkFault struct {
	Key string
	Err error
}

// FindFaults validates a trunk, by the rules of the settings of the same meaning, and returns each field that is wrong.
func (t SIPTrunkSettings) FindFaults() (found []TrunkFault) {
	if !endpointName.MatchString(t.Name) {
		found = append(found, TrunkFault{"name", fmt.Errorf("name %q must have 1 to 64 of a-z 0-9 _ . -", t.Name)})
	}
	transport, err := parseTrunkAddress(t.Trunk)
	var list PrefixList
	var codecs CodecList
	for _, check := range []TrunkFault{
		{"trunk", err},
		{"prefixes", list.UnmarshalText([]byte(strings.Join(t.Prefixes, ",")))},
		{"lines", checkWithin(t.Lines, 0, 10_000)},
		{"user", checkAccount(t.User, t.Register)},
		{"inbound-digest", t.checkInboundDigest()},
		{"password-env", t.checkPasswordEnv()},
		{"password-file", t.checkPasswordFile()},
		{"from", checkCaller(t.From)},
		{"identity", checkCaller(t.Identity)},
		{"srtp", unlessTLS(t.SRTP, transport, "the encryption keys would be visible in the signalling")},
		{"ca", t.checkAuthority(transport)},
		{"listen", checkTrunkListen(t.Listen)},
		{"callers", list.UnmarshalText([]byte(strings.Join(t.Callers, ",")))},
		{"caller-numbers", t.CallerNumbers.CheckRules()},
		{"caller-in", checkOneOf(t.CallerIn, "from", "identity", "both")},
		{"codecs", checkUnlessEmpty(codecs.UnmarshalText, t.Codecs)},
		{"calls-per-second", checkWithin(t.CallsPerSecond, 0, 100)},
		{"latch", checkOneOf(t.Latch, LatchStrict, LatchFirst)},
		{"transfer", checkOneOf(t.Transfer, TransferAuto, TransferBridge)},
		{"plus", checkPlus(cmp.Or(t.Plus, "+"))},
	} {
		if check.Err != nil {
			found = append(found, check)
		}
	}
	return found
}

// checkAuthority accepts authorities for a trunk over TLS.
func (t SIPTrunkSettings) checkAuthority(transport string) error {
	if err := unlessTLS(t.CA+t.Authority != "", transport, "there is no certificate to check"); err != nil {
		return err
	}
	_, err := ParseAuthorities(t.Authority)
	return err
}

// checkPasswordEnv accepts MUNADI_SIP_PASSWORD, one with a suffix, or a variable that is no setting.
func (t SIPTrunkSettings) checkPasswordEnv() error {
	switch name := t.PasswordEnv; {
	case name == "" && t.PasswordFile+t.Password != "":
		return nil
	case name == "" && t.User != "":
		return fmt.Errorf("user requires it: the variable that holds the password, such as %s_%s, or "+
			"password-file",
			sipPassword, strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(t.Name)))
	case name == "" || name == sipPassword || strings.HasPrefix(name, sipPassword+"_"):
		return nil
	case !variableName.MatchString(name):
		return errors.New("is not the name of an environment variable") // the value may be the password itself
	case strings.HasPrefix(name, variablePrefix):
		return fmt.Errorf("%s is a setting of Munadi; use %s_NAME or a name without %s",
			name, sipPassword, variablePrefix)
	}
	return nil
}

// checkInboundDigest refuses to ask callers for an account that is not set.
func (t SIPTrunkSettings) checkInboundDigest() error {
	if t.InboundDigest != "" && t.User == "" {
		return errors.New("needs user (sip-user), and its password: calls that come in prove them")
	}
	return checkOneOf(t.InboundDigest, "md5", "sha-256")
}

// checkPasswordFile accepts a file for the password of a user that has no variable. A reload reads it again; variables
// of a running process do not change.
func (t SIPTrunkSettings) checkPasswordFile() error {
	switch {
	case t.PasswordFile == "":
		return nil
	case t.PasswordEnv != "":
		return errors.New("password-env is set, too: leave one of them out")
	case t.User == "":
		return errors.New("needs user: the name of the account")
	}
	return nil
}

func checkWithin(n, least, most int) error {
	if n < least || n > most {
		return fmt.Errorf("%d is not within %d and %d", n, least, most)
	}
	return nil
}

// checkOneOf accepts one of some values, or none.
func checkOneOf(text string, all ...string) error {
	if text != "" && !slices.Contains(all, text) {
		return fmt.Errorf("%q is not one of %s", text, strings.Join(all, ", "))
	}
	return nil
}

func checkUnlessEmpty(parse func([]byte) error, list []string) error {
	if len(list) == 0 {
		return nil
	}
	return parse([]byte(strings.Join(list, ",")))
}

// checkTrunkListen accepts an empty text or an address with a port.
func checkTrunkListen(text string) error {
	if text == "" {
		return nil
	}
	var at ListenAddress
	if err := at.UnmarshalText([]byte(text)); err != nil {
		return err
	}
	if _, err := netip.ParseAddr(at.Host()); err != nil && at.Host() != "" {
		return fmt.Errorf("%q is not an IP address (such as 0.0.0.0, for all of this machine)", at.Host())
	}
	return nil
}

// listTrunks returns the trunks of the list, without defaults.
func (l SIPTrunks) listTrunks() []SIPTrunkSettings {
	var all []SIPTrunkSettings
	if l == "" || json.Unmarshal([]byte(l), &all) != nil { // written by UnmarshalText
		return nil
	}
	return all
}

// Trunks returns all SIP trunks in the order in which they are tried, complete with defaults: those of sip-trunks, then
// that of sip-trunk.
func (c *Config) Trunks() []SIPTrunkSettings {
	all := c.CompleteTrunks(c.SIPTrunks.listTrunks())
	if c.SIPTrunk == "" {
		return all
	}
	last := c.defaultTrunk()
	c.completeTrunk(&last)
	return append(all, last)
}

// defaultTrunk returns the trunk of sip-trunk, without defaults.
func (c *Config) defaultTrunk() SIPTrunkSettings {
	t := SIPTrunkSettings{
		Name: DefaultTrunk, Trunk: c.SIPTrunk, User: c.SIPUser, PasswordEnv: sipPassword, From: c.SIPFrom,
		Identity: c.SIPIdentity, Register: c.SIPRegister, InboundDigest: c.SIPDigest, SRTP: c.SIPSRTP, CA: c.SIPCA,
		Listen: c.SIPListen.String(), Lines: c.Lines,
	}
	if t.InboundDigest == "none" {
		t.InboundDigest = ""
	}
	return t
}

// HasTrunks reports whether the settings have trunks; otherwise those of the console apply.
func (c *Config) HasTrunks() bool { return c.SIPTrunk != "" || c.SIPTrunks != "" }

// CompleteTrunks returns trunks with defaults.
func (c *Config) CompleteTrunks(all []SIPTrunkSettings) []SIPTrunkSettings {
	all = slices.Clone(all)
	for i := range all {
		c.completeTrunk(&all[i])
	}
	return all
}

// splitEach returns the words of a list, of which an element may have several, as the checks allow; nil of none.
func splitEach(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return splitList(strings.Join(list, ","))
}

// completeTrunk fills in the defaults of a trunk.
func (c *Config) completeTrunk(t *SIPTrunkSettings) {
	t.Prefixes, t.Codecs = splitEach(t.Prefixes), splitEach(t.Codecs)
	t.Lines = cmp.Or(t.Lines, trunkLines)
	t.Listen = cmp.Or(t.Listen, net.JoinHostPort(c.SIPListen.Host(), "0"))
	t.CallerIn = cmp.Or(t.CallerIn, c.SIPCallerIn)
	t.CallsPerSecond = cmp.Or(t.CallsPerSecond, c.SIPRate)
	t.Transfer = cmp.Or(t.Transfer, c.SIPTransfer)
	t.Latch, t.Plus = cmp.Or(t.Latch, c.SIPLatch), cmp.Or(t.Plus, c.SIPPlus)
	if t.Callers == nil {
		t.Callers = c.SIPCallers.prefixes()
	} else {
		t.Callers = splitEach(t.Callers)
	}
	if t.Codecs == nil {
		t.Codecs = c.SIPCodecs.Names()
	}
	if t.Plus == "none" {
		t.Plus = ""
	}
}

// SIPLines returns how many concurrent calls the trunks allow in all.
func (c *Config) SIPLines() (lines int) {
	if c.SIPTrunks == "" {
		return cmp.Or(c.Lines, trunkLines)
	}
	for _, t := range c.Trunks() {
		lines += t.Lines
	}
	if c.Lines > 0 {
		return min(c.Lines, lines)
	}
	return lines
}
