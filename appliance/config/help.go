package config

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// helpWidth is the longest line of the help on secrets, in bytes.
const helpWidth = 80

// settingsTag is the struct tag of a command that lists the settings it uses: names, or all.
const settingsTag = "settings"

// printHelp prints kong's help without the settings that the command does not use, and with those that come from the
// environment only.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	used := usedSettings(ctx)
	for _, flag := range ctx.Model.Flags {
		if _, ok := findSetting(flag.Name); ok && !used("all") && !used(flag.Name) && flag.Name != fileSetting {
			flag.Hidden = true
		}
	}
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
		return err
	}
	if !used("all") {
		return nil
	}
	return printSecrets(ctx)
}

// usedSettings returns which settings the selected command uses; a subcommand uses those of its parent too.
func usedSettings(ctx *kong.Context) func(string) bool {
	names := map[string]bool{}
	for node := ctx.Selected(); node != nil; node = node.Parent {
		if node.Tag == nil {
			continue
		}
		for name := range strings.SplitSeq(node.Tag.Get(settingsTag), ",") {
			names[name] = true
		}
	}
	return func(name string) bool { return names[name] }
}

// printSecrets lists the settings that come from the environment only.
func printSecrets(ctx *kong.Context) error {
	var b strings.Builder
	b.WriteString("\nEnvironment only (secrets):\n")
	for _, s := range listSettings() {
		if s.secret {
			secretHelp(&b, s.environmentName(), s.help)
		}
	}
	secretHelp(&b, llmKey, llmKeyHelp)
	secretHelp(&b, toolKey, toolKeyHelp)
	_, err := fmt.Fprint(ctx.Stdout, b.String())
	return err
}

// secretHelp writes a variable and its wrapped description.
func secretHelp(b *strings.Builder, variable, help string) {
	fmt.Fprintf(b, "  $%s (default: none)\n", variable)
	wrapLines(b, "     ", helpWidth, help)
}
