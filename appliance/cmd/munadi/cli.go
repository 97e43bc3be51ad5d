package main

import (
	"context"
	"io"
	"os"
	"slices"

	"github.com/alecthomas/kong"

	"munadi/appliance/config"
	"munadi/engine/audio"
)

// decodeAudio is the hidden subcommand that munadi starts itself, with limits, to decode foreign bytes in C.
const decodeAudio = "decode-audio"

// cli is the whole command line.
type cli struct {
	config.Config

	Serve      ServeCmd      `cmd:"" settings:"all" help:"Run the appliance."`
	Transcribe TranscribeCmd `cmd:"" settings:"model,threads,ffmpeg,cache,data" help:"Write down what files say."`
	Mic        MicCmd        `cmd:"" settings:"model,threads,cache,data" help:"Write down what a microphone hears."`
	Model      ModelCmd      `cmd:"" settings:"model,threads,cache,data" help:"Look at a speech model, or check a folder."`
	Keys       KeysCmd       `cmd:"" settings:"data,database-key" help:"Make, list and revoke API keys."`
	Users      UsersCmd      `cmd:"" settings:"data,database-key" help:"Make and list console users, set their passwords."`
	Orgs       OrgsCmd       `cmd:"" settings:"data,database-key" help:"Make and list organizations."`
	Backup     BackupCmd     `cmd:"" settings:"data,database-key" help:"Write all that it remembers into one encrypted file."`
	Restore    RestoreCmd    `cmd:"" settings:"data,database-key" help:"Bring a backup back, or check that it could be."`
	Doctor     DoctorCmd     `cmd:"" settings:"all" help:"Check this machine and the configuration."`
	Settings   SettingsCmd   `cmd:"" name:"config" settings:"all" help:"Print munadi.yaml with every setting explained, or check the one in use."`
	Version    VersionCmd    `cmd:"" help:"Say which munadi this is."`
}

// run parses the arguments and runs their command.
func run(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == decodeAudio {
		return audio.RunHelper(args[1:], os.Stdin, os.Stdout)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	var c cli
	options := slices.Concat(config.Options(&c.Config, os.LookupEnv), []kong.Option{
		kong.Name("munadi"),
		kong.Description("Munadi (منادي): Arabic speech to text and outbound calls on your own machine."),
		kong.UsageOnError(),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.BindTo(os.Stdout, (*io.Writer)(nil)),
	})
	parser, err := kong.New(&c, options...)
	if err != nil {
		return err
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return err
	}
	return parsed.Run()
}
