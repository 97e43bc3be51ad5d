package main

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"munadi/appliance/config"
	"munadi/engine/audio"
)

// decodeAudio is the hidden subcommand that munadi starts itself as a sandboxed process, to decode untrusted audio in
// C.
const decodeAudio = "decode-audio"

// commandLine is the whole command line.
type commandLine struct {
	config.Config

	Serve      ServeCmd      `cmd:"" settings:"all" help:"Run the appliance: speech to text, calls and console."`
	Reload     ReloadCmd     `cmd:"" settings:"data" help:"Reload the settings of the running appliance."`
	Transcribe TranscribeCmd `cmd:"" settings:"model,threads,text-diacritics,text-punctuation,ffmpeg,cache,data" help:"Transcribe audio files."`
	Mic        MicCmd        `cmd:"" settings:"model,threads,text-diacritics,text-punctuation,cache,data" help:"Transcribe a microphone live."`
	Model      ModelCmd      `cmd:"" settings:"model,model-hub,proxy,threads,cache,data" help:"Download, install, select and inspect speech models."`
	Voice      VoiceCmd      `cmd:"" settings:"model-hub,proxy,espeak,cache,data" help:"Download, install and select neural voices."`
	Keys       KeysCmd       `cmd:"" settings:"data,store,secret-file,database-key" help:"Create, list and revoke API keys."`
	Users      UsersCmd      `cmd:"" settings:"data,store,secret-file,database-key" help:"Create and list console users and set their passwords."`
	Orgs       OrgsCmd       `cmd:"" settings:"data,store,secret-file,database-key" help:"Create and list organizations."`
	People     PeopleCmd     `cmd:"" settings:"data,store,recordings,secret-file,database-key" help:"Export the data of a called person."`
	Audit      AuditCmd      `cmd:"" settings:"data,store,secret-file,database-key" help:"Verify and export the audit log."`
	Evidence   EvidenceCmd   `cmd:"" settings:"data,store,secret-file,database-key" help:"Check the evidence of a call; print the key that signs it."`
	Backup     BackupCmd     `cmd:"" settings:"data,store,recordings,secret-file,database-key,backup-recipient,backup-bucket" help:"Back up the database, recordings and secret to one file."`
	Restore    RestoreCmd    `cmd:"" settings:"data,secret-file,database-key" help:"Restore or verify a backup."`
	Store      StoreCmd      `cmd:"" settings:"data,database-key" help:"Migrate the database between the embedded one and PostgreSQL."`
	Scenario   ScenarioCmd   `cmd:"" help:"Test scenario files."`
	Mail       MailCmd       `cmd:"" settings:"smtp-host,smtp-port,smtp-security,smtp-user,smtp-password-file,smtp-ca,mail-from,mail-to" help:"Send a test e-mail."`
	SIP        SIPCmd        `cmd:"" name:"sip" settings:"data,store,secret-file,database-key" help:"Print the SIP messages of a call."`
	Replay     ReplayCmd     `cmd:"" settings:"data,store,secret-file,database-key" help:"Hold recorded calls again with a draft or another speech model."`
	TLS        TLSCmd        `cmd:"" name:"tls" settings:"data" help:"Print the local CA's root certificate."`
	Doctor     DoctorCmd     `cmd:"" settings:"all" help:"Check this machine, the configuration and the running appliance."`
	Settings   SettingsCmd   `cmd:"" name:"config" settings:"all" help:"Print an annotated munadi.yaml with all settings, or check the one in use."`
	Version    VersionCmd    `cmd:"" help:"Print the version."`
}

// runCommand parses the arguments and runs their command.
func runCommand(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == decodeAudio {
		return audio.RunHelper(args[1:], os.Stdin, os.Stdout)
	}
	parsed, err := parseArgs(ctx, normalizeArgs(args))
	if err != nil {
		return withAdvice(err, args)
	}
	return parsed.Run()
}

// normalizeArgs maps the usual "help" and "--version" to this program's spelling.
func normalizeArgs(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return slices.Concat(args[1:], []string{"--help"})
	case args[0] == "--version":
		return slices.Concat([]string{"version"}, args[1:])
	}
	return userRoleFlag(args)
}

// userRoleFlag maps --role of "users create", the role of a user, to its full name: elsewhere --role is the setting.
func userRoleFlag(args []string) []string {
	if !slices.Contains(args, "users") || !slices.Contains(args, "create") {
		return args
	}
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "--role" || strings.HasPrefix(arg, "--role=") {
			args[i] = "--user-" + strings.TrimPrefix(arg, "--")
		}
	}
	return args
}

// parseArgs parses the command line. The settings are validated when a command asks for them.
func parseArgs(ctx context.Context, args []string) (*kong.Context, error) {
	var c commandLine
	options := slices.Concat(config.ParserOptions(&c.Config, os.LookupEnv), []kong.Option{
		kong.Name("munadi"),
		kong.Description("Munadi (منادي): Arabic speech to text and outbound calls on your own machine."),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.BindTo(os.Stdout, (*io.Writer)(nil)),
		kong.Bind(newConfigReader(ctx, args)),
	})
	parser, err := kong.New(&c, options...)
	if err != nil {
		return nil, err
	}
	return parser.Parse(args)
}

// configReader reads the settings again for a reload, from the same command line and variables and from the file as
// it is now.
type configReader func() (*config.Config, error)

func newConfigReader(ctx context.Context, args []string) configReader {
	return func() (found *config.Config, err error) {
		parsed, err := parseArgs(ctx, args)
		if err != nil {
			return nil, err
		}
		_, err = parsed.Call(func(c *config.Config) error { found = c; return nil })
		return found, err
	}
}
