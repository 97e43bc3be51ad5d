package config

// settingNote is the text of a setting in munadi.yaml in addition to its help.
type settingNote struct {
	part string // heading before the setting, if any
	live bool   // reloadable; else a change needs a restart
	text string // in addition to the help; may be empty
}

// settingNotes returns the notes of all settings of the file, by name.
func settingNotes() map[string]settingNote {
	return map[string]settingNote{
		"listen": {part: "Where it is reached", text: "For access from other machines (:8080, or an address of the " +
			"network) use TLS here or in a proxy: otherwise keys and passwords are sent unencrypted."},
		"public-url": {live: true, text: "Links to recordings and the set-up link begin with it. Set it to the proxy's " +
			"URL if there is one: https://calls.example.com, without a slash at the end. A path " +
			"(https://example.com/munadi) is for the APIs, whose links have it: the proxy takes it away. The pages have " +
			"none, their links begin at the host: pass /console and /assets on as they are. Passkeys work over HTTPS at its " +
			"domain name, which they are bound to: after a change of the name people add new ones. Not at an IP address."},
		"tls": {part: "Encryption", text: "local creates a certificate authority (CA) of this machine on the first " +
			"start: install its root certificate where the console is used (download it on the sign-in page, or run " +
			"`munadi tls root`). acme needs a public domain name that resolves to this machine, and port 443, or port " +
			"80 with redirect."},
		"tls-cert": {text: "A changed pair of files is loaded within seconds, without a restart or a reload. If the new " +
			"pair is invalid, the old one stays in use and the log says why."},
		"tls-key":        {},
		"acme-domains":   {},
		"acme-email":     {},
		"acme-directory": {text: "Setting tls: acme with the default accepts the terms of service of Let's Encrypt."},
		"redirect": {text: "It also answers the challenges of the ACME CA. Requests for pages are redirected; requests " +
			"of programs are refused, since an API key that was sent unencrypted must be regarded as known to others."},
		"trusted-proxies": {part: "Behind a proxy", text: "X-Forwarded-For of these proxies is the client's address for " +
			"limits, lock-outs and the log; X-Forwarded-Proto says whether the client's connection is encrypted. Such as " +
			"[127.0.0.1, 10.0.0.0/8]."},
		"data": {part: "Storage", text: "Must be accessible to the appliance's user only (mode 0700). It holds the " +
			"database, recordings, queued uploads, your recorded prompts, installed models and, by " +
			"default, backups."},
		"store": {text: "postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full is a PostgreSQL database, " +
			"version 15 or newer, that several appliances share, each with its own data folder and the same " +
			"secret-file. The password can be in the variable PGPASSWORD or in ~/.pgpass instead."},
		"recordings": {text: "Holds recordings of calls and live sessions, uploads of transcription jobs, installed " +
			"models and recorded prompts; appliances that share a store share it. A recording is written to the data " +
			"folder first and moved after the end of its call; while the bucket does not answer, recordings stay in the " +
			"data folder. The bucket's keys are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN). " +
			"Existing recordings in the data folder are moved too."},
		"role": {text: "With stt the appliance runs only transcription, realtime sessions and transcription jobs: " +
			"/api/v1 and /console are 404 and no call is dialled. Keys, organizations and restaurant mode are those of " +
			"the store. Meant for appliances behind a load balancer that share a store."},
		"secret-file": {text: "API keys, sessions and links are valid only with this secret. The first start creates " +
			"it; a start without it, or with another one, is refused. Appliances that share a store need the same " +
			"secret. Backups contain it."},
		"database-key": {text: "Create one with: openssl rand -hex 32. The database cannot be read without this file: " +
			"keep a copy elsewhere."},
		"backup-at": {part: "Backups", live: true, text: "Made every day while the appliance runs. A backup that was " +
			"missed because the machine was off is made after the next start."},
		"backup-keep": {live: true, text: "Older ones are removed after a new one was verified. Data of erased people " +
			"remains in backups until these are removed."},
		"backup-folder": {live: true, text: "Preferably on another disk or machine. Only files named nightly-….backup " +
			"are removed there."},
		"backup-recipient": {live: true, text: "Create a key pair with age-keygen; keep the private key " +
			"(AGE-SECRET-KEY-…) on another machine. Without a recipient the passphrase in MUNADI_BACKUP_PASSPHRASE is " +
			"used. Without either, nightly backups are not encrypted and are only made within the data folder, where " +
			"the database is not encrypted either; with database-key they are not made at all."},
		"backup-bucket": {live: true, text: "Otherwise backups hold the database, the secret and the files of the data " +
			"folder, and a restored appliance plays the recordings from the bucket. Each backup downloads the whole " +
			"bucket."},
		"model": {part: "Speech to text", live: true, text: "A NeMo hybrid model in the layout of onnx-asr or " +
			"sherpa-onnx. Models installed by `munadi model import` need no setting. On a reload the old model serves " +
			"until the new one is loaded; one that cannot be opened is refused."},
		"model-hub": {live: true, text: "Nothing is downloaded unless requested. The token for gated models is read " +
			"from the variable HF_TOKEN or from --token-file."},
		"threads": {live: true},
		"queue":   {live: true, text: "Further requests get 429 with Retry-After."},
		"live-latency": {live: true, text: "For streaming models with several attention contexts (munadi model info " +
			"lists their latencies): the longest latency up to this value, such as 160ms, else the shortest. A longer " +
			"latency is more accurate and needs less computation. Applies to microphones and to realtime sessions, " +
			"which may request another."},
		"text-diacritics": {live: true, text: "Models that can write diacritics do so irregularly. Conversations, " +
			"phrase lists, restaurant mode and searches work with both values."},
		"text-punctuation": {live: true},
		"max-upload": {live: true, text: "A larger upload gets 413. The limit of transcription jobs is ten times this " +
			"value."},
		"max-duration": {live: true, text: "A longer recording gets 413. The limit of transcription jobs is six times " +
			"this value."},
		"ffmpeg": {live: true, text: "Decodes the formats that are not built in: M4A, AMR and others. It runs as a " +
			"separate process with limits."},
		"cache": {text: "Holds the unpacked ONNX Runtime, synthesized speech and uploads. It may be emptied while the " +
			"appliance is stopped."},
		"carrier":    {part: "Calls", text: "The settings of sip are below, under Telephone lines."},
		"time-scale": {text: "No effect with sip."},
		"lines": {live: true, text: "The simulator allows 50 calls, a SIP trunk 10: ask the operator how many your " +
			"contract includes. With 0, calls also wait while this machine could not recognize more of them in real " +
			"time (munadi doctor shows the number); any other value is used without this check. If the value is reduced " +
			"below the number of running calls, these continue, and new calls wait."},
		"inbound-lines": {live: true, text: "Lines that inbound calls hold count towards them. They may take " +
			"further ones that are free."},
		"rate-limit": {live: true, text: "Requests to the call platform and to speech to text count together; a " +
			"realtime session counts once, when it is opened. Further requests get 429 with Retry-After."},
		"cors-origins": {live: true, text: "Such as [https://app.example.com]. Their pages may also " +
			"open realtime sessions. Note that an API key in a page is visible to everyone who opens the page."},
		"proxy": {text: "Such as http://proxy.example.com:3128. Models are speech models, voices and language models. " +
			"Receivers in private networks are reached directly. HTTPS_PROXY and NO_PROXY count only for the bucket of " +
			"recordings."},
		"webhook-to": {live: true, text: "Link-local addresses and cloud metadata services are always refused."},
		"sip-trunks": {part: "Telephone lines (SIP)", live: true, text: "A list with one entry per trunk: name and trunk " +
			"(as sip-trunk), and optionally prefixes (of the numbers that it serves, such as [+966]; default: all numbers), " +
			"lines (10), user, password-env (the variable with its password, MUNADI_SIP_PASSWORD_NAME) or password-file, " +
			"from, identity, caller-numbers, register, inbound-digest, callers, caller-in, codecs, calls-per-second, " +
			"latch, srtp, ca, plus, listen. A call " +
			"uses the first trunk that serves its number; if that is down, full or answers 503, the next one. sip-trunk is " +
			"tried last, for all numbers."},
		"sip-trunk": {text: "The operator or PBX that places the calls. Without a port, the address is looked up in DNS " +
			"(SRV records). sips: and transport=tls encrypt the signalling."},
		"sip-user": {text: "Its password is in MUNADI_SIP_PASSWORD."},
		"sip-from": {text: "The number that the called person sees, if the operator allows it, in the operator's " +
			"notation."},
		"sip-identity": {text: "For operators that identify the account by this header (RFC 3325) and show the number " +
			"of sip-from: a number of the account in the operator's notation."},
		"sip-callers": {text: "Campaigns and organizations may have their own caller number. One without an allowed " +
			"prefix is replaced by sip-from. Such as [+966112345, +96692000]."},
		"sip-caller-in": {text: "identity is P-Asserted-Identity; the other header keeps sip-from or sip-identity."},
		"sip-register": {text: "For trunks that authenticate an account by its registration. Trunks that authenticate " +
			"by IP address need none."},
		"sip-inbound-digest": {text: "Digest authentication (RFC 3261, 7616): a call that does not prove the account is " +
			"refused with 401. With none the address of the trunk is enough. MD5 is what most trunks and PBXs know."},
		"sip-listen": {text: "The default is a free port, to avoid conflicts with a PBX or a second appliance on this " +
			"machine; each request tells the trunk the port. Set a fixed port (0.0.0.0:5060) if a firewall or the " +
			"operator requires one."},
		"sip-public-ip": {text: "Behind NAT, the public address of the router; it must forward sip-listen's port and " +
			"sip-media-ports unchanged to this machine."},
		"sip-media-ports": {text: "The firewall must allow incoming UDP on these ports and on the port of sip-listen."},
		"sip-codecs": {text: "pcma (A-law) is usual outside North America and Japan, pcmu (µ-law) there. g722 and opus " +
			"have twice the bandwidth, which improves recognition: list them first for a PBX whose telephones support " +
			"them; the trunk of an operator converts them."},
		"sip-calls-per-second": {text: "Most operators accept only a few and refuse the rest: ask for your limit."},
		"sip-transfer": {text: "With auto a trunk that refuses the request, or does not report about it, is not asked " +
			"again in that call: the platform calls the person over a line of its own and joins both. Attended transfers " +
			"always use such a line."},
		"sip-latch": {text: "For trunks whose audio comes from another address than they announce, which munadi doctor " +
			"and the call's page report. With first, the first address that sends three packets in a row is used; two " +
			"that do so at the same time are not. Sent audio follows it only while the announced address is silent. " +
			"With strict this applies only if the trunk announces a private address."},
		"sip-srtp": {text: "Calls are not placed over a trunk that refuses encryption."},
		"sip-ca":   {},
		"sip-plus": {text: "A number is +966500000000 in Munadi; with 00 the trunk gets 00966500000000, with none " +
			"966500000000."},
		"speech-url": {part: "Voices, where a prompt has no recording", live: true, text: "Its bearer token, if " +
			"required, is in MUNADI_SPEECH_KEY."},
		"speech-model": {live: true},
		"speech-voice": {live: true, text: "An installed neural voice of this name speaks what has no recording, before " +
			"the endpoint; it takes precedence over munadi voice use."},
		"espeak": {live: true, text: "A robotic voice, for tests."},
		"llm-endpoints": {part: "Language models of scenarios", live: true, text: "A list. Each entry has name, url " +
			"(base URL ending in /v1), model, key-env (the environment variable with the bearer token, MUNADI_LLM_KEY " +
			"or another; default: no token) and organizations (ids; default: all). For example: [{name: local, url: " +
			"'http://127.0.0.1:11434/v1', model: qwen3, organizations: [default]}]. Scenarios refer to an endpoint by " +
			"its name; organizations cannot set URLs or keys."},
		"tools": {part: "Tools of scenarios", live: true, text: "A list. Each entry has name, url, method (POST, with " +
			"the values as JSON, or GET, with them in the query; default POST), key-env (the environment variable with " +
			"the bearer token, MUNADI_TOOL_KEY or another; default: no token), timeout (seconds, at most 2) and " +
			"organizations (ids; default: all). For example: [{name: orders, url: 'http://127.0.0.1:9000/orders', " +
			"timeout: 1.5}]. Steps of type fetch and llm refer to a tool by its name; organizations cannot set URLs or keys. " +
			"webhook-to applies to the addresses."},
		"oidc-issuer": {part: "Sign-in with the company's identity provider", text: "Such as Keycloak, Entra ID or Dex. " +
			"Register the redirect URL PUBLIC-URL/console/sign-in/company/callback there (without a path of public-url) and, " +
			"for sign-outs at the provider, the back-channel logout URL PUBLIC-URL/console/sign-in/company/logout. Without " +
			"an answer at the start it is asked again every 30 s."},
		"oidc-client-id": {},
		"oidc-secret-file": {text: "The first line is the secret. Without a secret the client is a public one; PKCE is " +
			"always used."},
		"oidc-name":   {},
		"oidc-scopes": {text: "Add the scope that the claim of oidc-claim needs, often groups."},
		"oidc-claim": {text: "A text or a list of texts; realm_access.roles is the list roles in the object realm_access. " +
			"It must be in the ID token or the user information: in Keycloak switch on Add to ID token for the mapper " +
			"realm roles of the client scope roles."},
		"oidc-roles": {text: "Such as [munadi-admins=owner, clinic-staff=operator@clinic]; without an organization it is " +
			"default. Who has none of the values is refused. The role is set anew at each sign-in."},
		"oidc-create": {text: "The name is the claim preferred_username, else email, else sub. A user of that name in the " +
			"organization who belongs to nobody at the provider yet becomes the account."},
		"ldap-url": {part: "Sign-in with the company's directory (LDAP)", text: "Such as OpenLDAP, 389 Directory or Active " +
			"Directory (tested with OpenLDAP and Samba). Who is no user of the appliance signs in in the same form with the " +
			"password of the directory; the first sign-in makes the account. Users of the appliance with a password of their " +
			"own keep it."},
		"ldap-starttls": {text: "A directory without StartTLS is refused unless it is false: only for one on this machine, " +
			"or in a network that you trust with every password."},
		"ldap-ca":      {},
		"ldap-bind-dn": {text: "An account that may read people and groups, and nothing else."},
		"ldap-bind-password-file": {text: "The first line is the password. The file must be readable by the appliance's " +
			"user only (mode 0600)."},
		"ldap-base": {text: "It is also what the directory is called in accounts: with another base people get new " +
			"accounts."},
		"ldap-filter": {text: "It must find exactly one entry. With Active Directory " +
			"(&(sAMAccountName={name})(!(userAccountControl:1.2.840.113556.1.4.803:=2))) leaves disabled people out."},
		"ldap-id":         {text: "It must not change when a person is renamed, and not be given to another person."},
		"ldap-group-base": {text: "Only people whom you trust with ldap-roles should be able to make groups below it."},
		"ldap-group-filter": {text: "(memberUid={name}) finds groups of type posixGroup; " +
			"(member:1.2.840.113556.1.4.1941:={dn}) with Active Directory also those that a person is in by another group."},
		"ldap-roles": {text: "Such as [munadi-admins=owner, clinic-staff=operator@clinic]; without an organization it is " +
			"default. Who is in none of the groups is refused. The role is set anew at each sign-in and every 10 minutes; " +
			"who has left the directory or the groups is signed out then."},
		"password-sign-in": {text: "With owners the passwords of others are refused; owners keep theirs for when the " +
			"identity provider or the directory is away. Passwords of the directory are not concerned."},
		"smtp-host": {part: "Alerts by e-mail", live: true, text: "Without it the mail server of the console is used " +
			"(page Alerts), or alerts are only shown. With a mail server they are also sent to mail-to and to the " +
			"addresses that organizations set on their page Alerts: once when an alert is raised and once when it is " +
			"cleared. `munadi mail test` sends a test message."},
		"smtp-port": {live: true},
		"smtp-security": {live: true, text: "With starttls a server without encryption is refused. none is for a relay " +
			"on this machine or in your own network; no password is sent then."},
		"smtp-user": {live: true},
		"smtp-password-file": {live: true, text: "The first line is the password. The file must be readable by the " +
			"appliance's user only (mode 0600), such as /run/credentials/munadi.service/smtp of systemd's " +
			"LoadCredential."},
		"smtp-ca":   {live: true},
		"mail-from": {live: true, text: "The mail server must allow the account to use this sender address."},
		"mail-to": {live: true, text: "At most five. Alerts about disk, backup, trunks, database " +
			"and overload are sent only to these addresses, never to other organizations."},
		"metrics-token": {part: "Monitoring and log", live: true, text: "Clients on this machine need no token."},
		"syslog": {text: "Every entry of the audit log, by RFC 5424; port 514 for tcp, 6514 for tls. tcp is not encrypted. " +
			"Entries wait in the database while the server is away."},
		"syslog-ca":   {},
		"syslog-cert": {text: "With it the appliance proves to the server who it is."},
		"syslog-key":  {},
		"log-format":  {text: "The log is written to standard error. Telephone numbers are masked."},
		"log-level":   {live: true},
	}
}

// IsReloadable reports whether a reload changes the setting of that name.
func IsReloadable(name string) bool { return settingNotes()[name].live }
