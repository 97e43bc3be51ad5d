package config

// settingNote is the text of a setting in munadi.yaml beside its help.
type settingNote struct {
	part string // heading before the setting, if any
	live bool   // reloadable; else a change needs a restart
	text string // in addition to the help; may be empty
}

// settingNotes returns the notes of all settings of the file, by name.
func settingNotes() map[string]settingNote {
	return map[string]settingNote{
		"listen": {part: "Where it is reached", text: "Beyond this machine (:8080, or an address of the network), put " +
			"TLS in front or use it: keys and passwords travel in the clear otherwise."},
		"public-url": {live: true, text: "Links to recordings and the set-up link begin with it, as do the pages of a " +
			"proxy: https://calls.example.com, without a slash at the end."},
		"tls": {part: "Encryption", text: "local makes an authority of this machine's own on the first start: install its " +
			"root certificate where the console is used (the sign-in page offers it, as does `munadi tls root`). acme " +
			"needs a name on the internet that leads here, and port 443, or 80 by redirect."},
		"tls-cert": {text: "A pair that changes is taken over within seconds, without a restart or a reload; while it is " +
			"wrong, the old one serves on and the log says why."},
		"tls-key":      {},
		"acme-domains": {text: "Several are separated by commas."},
		"acme-email":   {},
		"acme-directory": {text: "With the default, the terms of service of Let's Encrypt are accepted by setting " +
			"tls: acme."},
		"redirect": {text: "It answers the public authority too. Pages are led on, programs are refused: a key that was " +
			"sent in the clear is known to others."},
		"trusted-proxies": {part: "Behind a proxy", text: "Their X-Forwarded-For is the client's address for limits, " +
			"lock-outs and the log, their X-Forwarded-Proto says whether the client's connection is encrypted. Separated " +
			"by commas: 127.0.0.1, 10.0.0.0/8."},
		"data": {part: "What it remembers", text: "For the appliance's own user alone (mode 0700). It holds the database, " +
			"recordings, uploads that wait, prompts of your own, installed models and, by default, backups."},
		"store": {text: "postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full is a PostgreSQL database, 15 or " +
			"newer, that several appliances share, each with a data folder of its own and the same secret-file. The password " +
			"may come from the variable PGPASSWORD or a file ~/.pgpass instead."},
		"recordings": {text: "Recordings of calls and live sessions, uploads of transcription jobs, installed models and " +
			"recorded prompts are kept there; " +
			"appliances that share a store share it. A recording is written to the data folder first and goes there once " +
			"its call has ended; while the bucket is away it waits on this disk. The keys of a bucket are in " +
			"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN). Recordings that are in the data folder " +
			"already are moved there."},
		"role": {text: "With stt, transcription, realtime sessions and transcription jobs alone: /api/v1 and /console are " +
			"404 and nothing is dialled. Keys, organizations and restaurant mode are those of the store. For appliances " +
			"behind a load balancer that share a store."},
		"secret-file": {
			text: "API keys, sessions and links are valid under it alone. Made by the first start; a start without it, " +
				"or with another one, is refused. Appliances that share a store share it. Backups hold it.",
		},
		"database-key": {text: "Make one: openssl rand -hex 32. Without the file there is no way to read the " +
			"database: keep a copy elsewhere."},
		"backup-at": {part: "Backups", live: true, text: "Made while the appliance runs, every day. One that was missed, " +
			"since the machine was off, is made up for after the next start."},
		"backup-keep": {live: true, text: "Older ones are removed once a new one was read back. People who were " +
			"erased are in backups until these are gone."},
		"backup-folder": {live: true, text: "Best on another disk or machine. Only files called nightly-….backup are ever " +
			"removed there."},
		"backup-recipient": {live: true, text: "Make a pair with age-keygen; the private key (AGE-SECRET-KEY-…) belongs " +
			"on another machine. Without it the passphrase MUNADI_BACKUP_PASSPHRASE counts. Without either, nightly " +
			"backups are plain, and are made only within the data folder, where the database lies just as plain; with " +
			"database-key they are not made at all."},
		"backup-bucket": {live: true, text: "Else backups hold the database, the secret and what is in the data folder, " +
			"and a restored appliance plays the recordings from the bucket. Each backup fetches all of the bucket."},
		"model": {part: "Speech to text", live: true, text: "A NeMo hybrid as onnx-asr or sherpa-onnx users have it. " +
			"Models installed by `munadi model import` need no setting. On a reload the old one serves until the new one " +
			"is warm; one that cannot be opened is refused."},
		"model-hub": {live: true, text: "Nothing is fetched unless it is asked for. A token for gated models comes from " +
			"the variable HF_TOKEN or from --token-file."},
		"threads": {live: true},
		"queue":   {live: true, text: "More are answered with 429 and Retry-After."},
		"live-latency": {live: true, text: "A streaming model with several attention contexts (munadi model info shows " +
			"their latencies): the longest up to this, such as 160ms, else the shortest. More latency is more accurate and " +
			"costs less. It holds for microphones and realtime sessions, which may name their own."},
		"text-diacritics": {live: true, text: "Models that can write them do so now and then. Conversations, phrase lists, " +
			"restaurant mode and searches work the same with and without."},
		"text-punctuation": {live: true},
		"max-upload": {
			live: true,
			text: "A larger one is answered with 413. A transcription job may be ten times that.",
		},
		"max-duration": {
			live: true,
			text: "A longer one is answered with 413. A transcription job may be six times that.",
		},
		"ffmpeg": {live: true, text: "Reads what is not decoded inside: M4A, AMR and others. It runs as a process of its " +
			"own, with limits."},
		"cache": {text: "ONNX Runtime is unpacked there, rendered speech and uploads lie there. It may be emptied while " +
			"the appliance is stopped."},
		"carrier":    {part: "Calls", text: "The settings that sip needs are below, under Telephone lines."},
		"time-scale": {text: "Real calls take their time: with sip it does not count."},
		"lines": {live: true, text: "The simulator takes 50, a SIP trunk 10: ask the operator how many are paid for. " +
			"0 also waits where this machine could not recognize more in real time (munadi doctor says how many); a number " +
			"given here is taken at its word. " +
			"With fewer than are busy, running calls go on to their end, and no new one begins until then."},
		"rate-limit": {live: true, text: "The call platform's and the speech service's requests count together, a realtime " +
			"socket once, when it is opened; more are answered with 429 and Retry-After."},
		"cors-origins": {live: true, text: "Such as https://app.example.com, separated by commas. They may also open the " +
			"realtime socket. A key in a page is known to everyone who opens the page."},
		"proxy": {text: "Such as http://proxy.example.com:3128; empty: none, whatever HTTPS_PROXY says. Receivers in " +
			"private networks are reached without it."},
		"webhook-to": {live: true, text: "Link-local addresses and the clouds' metadata services are refused either way."},
		"sip-trunks": {part: "Telephone lines (SIP)", text: "A list, one entry a trunk: name and trunk (as sip-trunk), and " +
			"as needed prefixes (beginnings of the numbers that it serves, such as [+966]; without them all), lines (10), " +
			"user, password-env (the variable that holds its password, MUNADI_SIP_PASSWORD_NAME), from, identity, register, " +
			"callers, caller-in, codecs, calls-per-second, latch, srtp, ca, plus, listen. A call goes to the first trunk that " +
			"serves its number; where that is down, full or answers 503, to the next. sip-trunk is tried last, for all " +
			"numbers."},
		"sip-trunk": {text: "The operator or PBX that calls go to. Without a port its DNS " +
			"records (SRV) say where it is. sips: and transport=tls encrypt the signalling."},
		"sip-user": {text: "Its password is in MUNADI_SIP_PASSWORD."},
		"sip-from": {text: "What the person called sees, where the operator allows it: a number as the operator writes it."},
		"sip-identity": {
			text: "For operators that know who calls, and show the number of sip-from, by this header (RFC 3325): " +
				"a number of the account, as the operator writes it.",
		},
		"sip-callers": {text: "A campaign and an organization may have a caller number of their own. One that is not " +
			"among these is not shown: sip-from is. Such as +966112345, +96692000, separated by commas."},
		"sip-caller-in": {text: "identity is P-Asserted-Identity; the other header keeps sip-from or sip-identity."},
		"sip-register": {text: "For trunks that know an account by its registration. Those that know this machine by its " +
			"address want none."},
		"sip-listen": {text: "By default a free port, so that a PBX or a second appliance on this machine does not collide " +
			"with it: the trunk is told the port in every request. Name one (0.0.0.0:5060) where a firewall or the operator " +
			"wants to know it."},
		"sip-public-ip": {text: "Behind NAT, the router's address on the internet; sip-listen's port and sip-media-ports " +
			"must be led here unchanged."},
		"sip-media-ports": {text: "The firewall must let UDP in to them, and to sip-listen."},
		"sip-codecs": {text: "pcma (A-law) is usual outside North America and Japan, pcmu (µ-law) there. g722 " +
			"and opus carry twice the sound, which the recognizer hears: name them first for a PBX whose telephones have " +
			"them; an operator's trunk converts them."},
		"sip-calls-per-second": {text: "Most operators take a few and refuse the rest: ask how many are allowed."},
		"sip-latch": {
			text: "For trunks whose sound comes from another address than they tell: munadi doctor and the call's " +
				"page say so. With first, the first address that sends three packets in a row is heard and sent to; two that do " +
				"at the same time are not. With strict that holds only where the trunk tells a private address.",
		},
		"sip-srtp": {text: "With it a trunk that refuses encryption is not called over."},
		"sip-ca":   {},
		"sip-plus": {text: "A number is +966500000000 here; with 00 the trunk is asked for 00966500000000, with none for " +
			"966500000000."},
		"speech-url": {part: "Voices, where a prompt has no recording", live: true, text: "Its bearer token, if it wants " +
			"one, is in MUNADI_SPEECH_KEY."},
		"speech-model": {live: true},
		"speech-voice": {live: true},
		"espeak":       {live: true, text: "A robotic voice, for trials."},
		"llm-endpoints": {part: "Language models of scenarios", live: true, text: "A list. Each has name, url (base, ends " +
			"in /v1), model, key-env (the environment variable with the bearer token, MUNADI_LLM_KEY or another; none: no " +
			"token) and organizations (ids; left out: every one). For example: [{name: local, url: " +
			"'http://127.0.0.1:11434/v1', model: qwen3, organizations: [default]}]. A scenario names one by its name: " +
			"neither addresses nor keys come from organizations."},
		"smtp-host": {part: "Alerts by e-mail", live: true, text: "Alerts stand in the console without it. With it they " +
			"are sent to mail-to and to the addresses that organizations set on their page Alerts, once each and once when it " +
			"is over. `munadi mail test` sends one to try it."},
		"smtp-port": {live: true},
		"smtp-security": {live: true, text: "With starttls a server that offers no encryption is refused. none is for a " +
			"relay on this machine or in a network of your own; no password is sent then."},
		"smtp-user": {live: true},
		"smtp-password-file": {live: true, text: "Its first line counts. Readable by the appliance's user alone (mode " +
			"0600), such as /run/credentials/munadi.service/smtp of systemd's LoadCredential."},
		"smtp-ca":   {live: true},
		"mail-from": {live: true, text: "The mail server must let this account send from it."},
		"mail-to": {live: true, text: "Separated by commas, at most five. Disk, backup, trunks, database and overload " +
			"are told to these addresses alone, never to other organizations."},
		"metrics-token": {part: "Looking after it", live: true, text: "Clients on this machine need none."},
		"log-format":    {text: "The log goes to standard error. Numbers are masked in it."},
		"log-level":     {live: true},
	}
}

// IsReloadable reports whether a reload changes the setting of that name.
func IsReloadable(name string) bool { return settingNotes()[name].live }
