// Package config defines, reads and validates the configuration: one struct whose tags are the names, defaults and
// explanations of all settings, from which the command line flags, the environment variables, munadi.yaml, the help
// and the annotated file are generated.
//
// A setting called max-upload is the flag --max-upload, the variable MUNADI_MAX_UPLOAD and the key max-upload of
// munadi.yaml; the first of these that is set applies, then the default. An empty variable counts as not set. Secrets
// of the first start come from the environment only: a command line is visible to every user of the machine, and a
// file remains. munadi.yaml is the file named by --config or MUNADI_CONFIG (then it must exist), or else the one in
// the working directory, or else /etc/munadi/munadi.yaml, if it exists and this user may read it. Invalid values and
// unknown keys are all reported at once, each with its place.
//
// A main program embeds [Config] in the struct that it gives to kong, and adds [ParserOptions]; a command that takes
// a *Config in its Run method gets it validated:
//
//	var cli struct {
//		config.Config
//		Serve ServeCmd `cmd:"" settings:"all"`
//		Keys  KeysCmd  `cmd:"" settings:"data"`
//	}
//	parser, err := kong.New(&cli, config.ParserOptions(&cli.Config, os.LookupEnv)...)
//
// The tag settings lists the settings of a command, so that its help shows no others.
//
// Of the appliance it imports only auth, for the rules of a key; of the store, the syntax of bucket URLs and e-mail
// addresses.
package config

import (
	"log/slog"
	"net/url"
	"path/filepath"
)

// Config holds every setting. The zero value is not valid: use [ParserOptions] or [Default].
type Config struct {
	File string `name:"config" placeholder:"FILE" help:"Configuration file; default: ./munadi.yaml, else /etc/munadi/munadi.yaml."`

	Listen    ListenAddress `name:"listen" default:"127.0.0.1:8080" help:"Address to listen on; port 0 selects a free port."`
	PublicURL string        `name:"public-url" default:"" help:"Base URL of links to the appliance; empty: that of the listener."`

	TLS            string      `name:"tls" default:"auto" oneof:"auto,none,local,acme" help:"TLS: auto (tls-cert if set), none, local (own CA), acme (public CA)."`
	TLSCert        string      `name:"tls-cert" default:"" help:"File of the certificate and its chain, PEM; empty: none."`
	TLSKey         string      `name:"tls-key" default:"" help:"File of the certificate's private key, PEM; required with tls-cert."`
	ACMEDomains    string      `name:"acme-domains" default:"" help:"Domain names of the ACME certificate; empty: the host of public-url."`
	ACMEEmail      string      `name:"acme-email" default:"" help:"Contact e-mail of the ACME account; empty: none."`
	ACMEDirectory  string      `name:"acme-directory" default:"https://acme-v02.api.letsencrypt.org/directory" help:"Directory URL of the ACME CA."`
	Redirect       string      `name:"redirect" default:"" help:"Address that redirects browsers from HTTP to HTTPS, such as :80; empty: none."`
	TrustedProxies NetworkList `name:"trusted-proxies" default:"" help:"Networks of proxies whose X-Forwarded headers are trusted; empty: none."`

	Data        string `name:"data" default:"./munadi-data" help:"Folder of all state: database, recordings, cache."`
	Store       string `name:"store" default:"badger" help:"Database: badger, the embedded one, or postgres://… for several appliances."`
	Role        string `name:"role" default:"all" oneof:"all,stt" help:"Services to run: all, or stt: only speech to text, without calls and console."`
	Recordings  string `name:"recordings" default:"" help:"Where recordings are stored: a folder, or s3://BUCKET[/PREFIX]?endpoint=…&region=…; empty: in data."`
	SecretFile  string `name:"secret-file" default:"" help:"File of the installation's secret; empty: secret.key in data."`
	DatabaseKey string `name:"database-key" default:"" help:"File with the 32-byte key that encrypts the database; empty: not encrypted."`

	BackupAt        DailyTime `name:"backup-at" default:"02:30" help:"Time of day of the nightly backup, in this machine's time zone; none: no nightly backups."`
	BackupKeep      int       `name:"backup-keep" default:"7" min:"1" max:"1000" help:"Number of nightly backups to keep."`
	BackupFolder    string    `name:"backup-folder" default:"" help:"Folder of nightly backups; empty: backups in data."`
	BackupRecipient string    `name:"backup-recipient" default:"" help:"Public key of age, or file of such keys, that backups are encrypted for; empty: none."`
	BackupBucket    bool      `name:"backup-bucket" default:"false" help:"Include the recordings that are in the bucket in backups."`

	Model       string   `name:"model" default:"" help:"Folder of a speech model; empty: the installed one in use, else the built-in one."`
	ModelHub    string   `name:"model-hub" default:"https://huggingface.co" help:"URL of the model hub, or of a mirror, for munadi model pull."`
	Threads     int      `name:"threads" default:"0" min:"0" max:"1024" help:"Threads of the speech engine; 0: one per core."`
	Queue       int      `name:"queue" default:"64" min:"1" max:"1000000" help:"Largest number of queued speech requests of an organization."`
	LiveLatency Duration `name:"live-latency" default:"0s" help:"Latency of live text, for models that offer several; 0s: the model's default."`
	Diacritics  string   `name:"text-diacritics" default:"strip" oneof:"keep,strip" help:"Diacritics in texts, if the model writes them: keep or strip."`
	Punctuation string   `name:"text-punctuation" default:"keep" oneof:"keep,strip" help:"Punctuation in texts, if the model writes it: keep or strip."`
	MaxUpload   ByteSize `name:"max-upload" default:"100MiB" min:"1024" help:"Upload size limit of a transcription."`
	MaxDuration Duration `name:"max-duration" default:"4h" min:"1000000000" help:"Limit of a recording's duration."`
	FFmpeg      string   `name:"ffmpeg" default:"" help:"Path of ffmpeg; empty: found by PATH, none: not used."`
	Cache       string   `name:"cache" default:"" help:"Cache folder; empty: cache in data."`

	Carrier      string     `name:"carrier" default:"simulator" oneof:"simulator,sip" help:"What places calls: simulator, or sip: real telephone lines."`
	TimeScale    float64    `name:"time-scale" default:"1" help:"Simulator: simulated seconds per second, from 0.01 to 10000."`
	Lines        int        `name:"lines" default:"0" min:"0" max:"10000" help:"Concurrent calls; 0: as many as the carrier allows and this machine recognizes in real time."`
	InboundLines int        `name:"inbound-lines" default:"0" min:"0" max:"10000" help:"Of the lines, how many outbound calls leave free for inbound ones."`
	RateLimit    int        `name:"rate-limit" default:"0" min:"0" max:"1000000" help:"Requests per minute of an API key, over all APIs; 0: no limit."`
	CORSOrigins  OriginList `name:"cors-origins" default:"" help:"Web origins whose pages may call the APIs with a key; * for all; empty: none."`
	Proxy        string     `name:"proxy" default:"" help:"HTTP proxy for requests of webhooks, tools, models and speech to public addresses; empty: none."`
	WebhookTo    string     `name:"webhook-to" default:"any" oneof:"any,public" help:"Allowed webhook targets: any, or public: no private networks."`

	SIPTrunks     SIPTrunks     `name:"sip-trunks" default:"" help:"SIP: a list of several trunks, in order of preference; sip-trunk is tried last; empty: none."`
	SIPTrunk      string        `name:"sip-trunk" default:"" help:"SIP: address of the trunk, sip:HOST[:PORT][;transport=udp|tcp|tls] or sips:HOST; empty: none."`
	SIPUser       string        `name:"sip-user" default:"" help:"SIP: user name of the account; empty: IP authentication."`
	SIPFrom       string        `name:"sip-from" default:"" help:"SIP: caller number of calls; empty: sip-user."`
	SIPIdentity   string        `name:"sip-identity" default:"" help:"SIP: number for P-Asserted-Identity; empty: no such header."`
	SIPCallers    PrefixList    `name:"sip-callers" default:"" help:"SIP: prefixes of the allowed caller numbers; empty: any."`
	SIPCallerIn   string        `name:"sip-caller-in" default:"from" oneof:"from,identity,both" help:"SIP: header for the caller number of a campaign or organization: from, identity or both."`
	SIPRegister   bool          `name:"sip-register" default:"false" help:"SIP: register the account at the trunk."`
	SIPDigest     string        `name:"sip-inbound-digest" default:"none" oneof:"none,md5,sha-256" help:"SIP: algorithm by which inbound calls prove sip-user and its password: md5, sha-256, or none."`
	SIPListen     ListenAddress `name:"sip-listen" default:"0.0.0.0:0" help:"SIP: local address of signalling; port 0 selects a free port."`
	SIPPublicIP   IPAddress     `name:"sip-public-ip" default:"" help:"SIP: public IP address behind NAT; empty: no NAT."`
	SIPMediaPorts PortRange     `name:"sip-media-ports" default:"20000-20999" help:"SIP: UDP ports of RTP, two per call."`
	SIPCodecs     CodecList     `name:"sip-codecs" default:"pcma,pcmu,g722,opus" help:"SIP: audio codecs, the preferred one first."`
	SIPRate       int           `name:"sip-calls-per-second" default:"5" min:"1" max:"100" help:"SIP: largest number of new calls per second."`
	SIPTransfer   string        `name:"sip-transfer" default:"auto" oneof:"auto,bridge" help:"SIP: transfer of a call: auto, by the trunk where it can (REFER), or bridge, always over a second line."`
	SIPLatch      string        `name:"sip-latch" default:"strict" oneof:"strict,first" help:"SIP: RTP source: strict, as negotiated, or first, the first sender."`
	SIPSRTP       bool          `name:"sip-srtp" default:"false" help:"SIP: encrypt audio (SRTP); the trunk must use TLS."`
	SIPCA         string        `name:"sip-ca" default:"" help:"SIP: PEM file of the trunk's CA; empty: the system's."`
	SIPPlus       string        `name:"sip-plus" default:"+" help:"SIP: replacement for the + of numbers: +, 00 or none."`

	SpeechURL   string `name:"speech-url" default:"" help:"Base URL of an OpenAI-compatible speech endpoint, ends in /v1; empty: none."`
	SpeechModel string `name:"speech-model" default:"tts-1" help:"Model name for the speech endpoint."`
	SpeechVoice string `name:"speech-voice" default:"alloy" help:"Name of an installed neural voice, or voice name for the speech endpoint."`
	ESpeak      string `name:"espeak" default:"" help:"Path of espeak-ng; empty: found by PATH, none: not used."`

	LLMEndpoints LLMEndpoints `name:"llm-endpoints" default:"" help:"Language models that scenarios may use, by name; empty: none."`
	Tools        Tools        `name:"tools" default:"" help:"HTTP endpoints that scenarios may ask for values, by name; empty: none."`

	SMTPHost         string   `name:"smtp-host" default:"" help:"Mail server for alerts; empty: that of the console."`
	SMTPPort         int      `name:"smtp-port" default:"0" min:"0" max:"65535" help:"Port of the mail server; 0: 587 with starttls, 465 with tls, 25 with none."`
	SMTPSecurity     string   `name:"smtp-security" default:"starttls" oneof:"starttls,tls,none" help:"Encryption: starttls, tls from the start, or none."`
	SMTPUser         string   `name:"smtp-user" default:"" help:"User name at the mail server; empty: no authentication."`
	SMTPPasswordFile string   `name:"smtp-password-file" default:"" help:"File with the password of smtp-user; default: MUNADI_SMTP_PASSWORD."`
	SMTPCA           string   `name:"smtp-ca" default:"" help:"PEM file of the mail server's CA; empty: the system's."`
	MailFrom         string   `name:"mail-from" default:"" help:"Sender address of alerts; required with smtp-host."`
	MailTo           MailList `name:"mail-to" default:"" help:"E-mail addresses of the operator, for alerts of the installation; empty: none."`

	MetricsToken   string    `name:"metrics-token" default:"" help:"Bearer token for /metrics, for clients on other machines; empty: they are refused."`
	OIDCIssuer     string    `name:"oidc-issuer" default:"" help:"Issuer URL of the company's identity provider (OpenID Connect); empty: none."`
	OIDCClientID   string    `name:"oidc-client-id" default:"" help:"Client id of this appliance at the identity provider; required with oidc-issuer."`
	OIDCSecretFile string    `name:"oidc-secret-file" default:"" help:"File with the client secret; default: MUNADI_OIDC_SECRET."`
	OIDCName       string    `name:"oidc-name" default:"" help:"Name of the identity provider on the sign-in page; empty: your company's account."`
	OIDCScopes     WordList  `name:"oidc-scopes" default:"openid,profile,email" help:"Scopes that are asked for."`
	OIDCClaim      string    `name:"oidc-claim" default:"groups" help:"Claim whose values decide on the role."`
	OIDCRoles      RoleRules `name:"oidc-roles" default:"" help:"Roles by value of the claim: VALUE=ROLE or VALUE=ROLE@ORGANIZATION; the first that fits counts; required with oidc-issuer."`
	OIDCCreate     bool      `name:"oidc-create" default:"true" help:"Create an account at the first sign-in; false: only people whose name has one may enter."`

	LDAPURL              string    `name:"ldap-url" default:"" help:"LDAP directory of the company: ldaps://HOST[:PORT], or ldap://HOST[:PORT] with StartTLS; empty: none."`
	LDAPStartTLS         bool      `name:"ldap-starttls" default:"true" help:"Encrypt ldap:// by StartTLS; false: passwords are sent unencrypted."`
	LDAPCA               string    `name:"ldap-ca" default:"" help:"PEM file of the directory's CA; empty: the system's."`
	LDAPBindDN           string    `name:"ldap-bind-dn" default:"" help:"Distinguished name of the account that searches the directory; required with ldap-url."`
	LDAPBindPasswordFile string    `name:"ldap-bind-password-file" default:"" help:"File with the password of ldap-bind-dn; default: MUNADI_LDAP_BIND_PASSWORD."`
	LDAPBase             string    `name:"ldap-base" default:"" help:"Distinguished name below which people are searched; required with ldap-url."`
	LDAPFilter           string    `name:"ldap-filter" default:"(uid={name})" help:"Filter that finds one person; {name} is the user name as typed."`
	LDAPID               string    `name:"ldap-id" default:"entryUUID" help:"Attribute that identifies a person for ever; objectGUID with Active Directory."`
	LDAPGroupBase        string    `name:"ldap-group-base" default:"" help:"Distinguished name below which groups are searched; empty: ldap-base."`
	LDAPGroupFilter      string    `name:"ldap-group-filter" default:"(|(member={dn})(uniqueMember={dn}))" help:"Filter that finds a person's groups; {dn} is the person's distinguished name, {name} the user name as typed."`
	LDAPRoles            RoleRules `name:"ldap-roles" default:"" help:"Roles by group (its cn): GROUP=ROLE or GROUP=ROLE@ORGANIZATION; the first that fits counts; required with ldap-url."`

	PasswordSignIn string `name:"password-sign-in" default:"all" oneof:"all,owners" help:"Who may sign in with a password of this appliance: all, or only owners."`

	Syslog     string `name:"syslog" default:"" help:"Syslog server that gets the audit log: tcp://HOST[:PORT] or tls://HOST[:PORT]; empty: none."`
	SyslogCA   string `name:"syslog-ca" default:"" help:"PEM file of the syslog server's CA; empty: the system's."`
	SyslogCert string `name:"syslog-cert" default:"" help:"PEM file of the client certificate for the syslog server; empty: none."`
	SyslogKey  string `name:"syslog-key" default:"" help:"PEM file of the client certificate's private key; required with syslog-cert."`

	LogFormat string     `name:"log-format" default:"text" oneof:"text,json" help:"Format of the log: text or json."`
	LogLevel  slog.Level `name:"log-level" default:"info" help:"Lowest level logged: debug, info, warn or error."`

	SIPPassword            string `kong:"-" secret:"sip-password" help:"Password of sip-user."`
	SMTPPassword           string `kong:"-" secret:"smtp-password" help:"Password of smtp-user."`
	OIDCSecret             string `kong:"-" secret:"oidc-secret" help:"Client secret at the identity provider."`
	LDAPBindPassword       string `kong:"-" secret:"ldap-bind-password" help:"Password of ldap-bind-dn."`
	SpeechKey              string `kong:"-" secret:"speech-key" help:"Bearer token for the speech endpoint."`
	BackupPassphrase       string `kong:"-" secret:"backup-passphrase" help:"Passphrase that encrypts the nightly backups."`
	BootstrapAPIKey        string `kong:"-" secret:"bootstrap-api-key" help:"First start only: API key to create, with all scopes."`
	BootstrapAdminPassword string `kong:"-" secret:"bootstrap-admin-password" help:"First start only: password of the console user admin."`
}

// NightlyBackupFolder returns the folder of nightly backups.
func (c *Config) NightlyBackupFolder() string {
	if c.BackupFolder != "" {
		return c.BackupFolder
	}
	return filepath.Join(c.Data, "backups")
}

// OutboundProxy returns the HTTP proxy for requests to public addresses; nil without one.
func (c *Config) OutboundProxy() *url.URL {
	u, err := url.Parse(c.Proxy)
	if err != nil || c.Proxy == "" {
		return nil
	}
	return u
}

// RoleSTT is the value of role that runs only the STT service.
const RoleSTT = "stt"

// ServesCalls reports whether the role includes the call platform and the console.
func (c *Config) ServesCalls() bool { return c.Role != RoleSTT }

// DatabaseFolder returns the folder of the embedded database.
func (c *Config) DatabaseFolder() string { return filepath.Join(c.Data, "db") }

// SecretPath returns the file of the installation's secret.
func (c *Config) SecretPath() string {
	if c.SecretFile != "" {
		return c.SecretFile
	}
	return filepath.Join(c.Data, "secret.key")
}

// CacheDir returns the folder of files that can be generated again.
func (c *Config) CacheDir() string {
	if c.Cache != "" {
		return c.Cache
	}
	return filepath.Join(c.Data, "cache")
}
