package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// withAdvice appends to a command line error what the command accepts, and which --help to read. Other errors are
// returned unchanged. args is the whole command line.
func withAdvice(err error, args []string) error {
	var wrong *kong.ParseError
	if !errors.As(err, &wrong) || wrong.Context == nil {
		return err
	}
	command := wrong.Context.Selected()
	if command == nil {
		command = wrong.Context.Model.Node
	}
	return errors.New(explainParseError(command, err.Error(), args) + "; see " + command.FullPath() + " --help")
}

// explainParseError returns the text of a parser's error in the terms of the command.
func explainParseError(command *kong.Node, text string, args []string) string {
	text = strings.ReplaceAll(text, "--user-role", "--role") // see userRoleFlag
	name, withoutValue, _ := strings.Cut(text, ": expected ")
	switch {
	case strings.HasPrefix(text, "unexpected argument "):
		return text + acceptedInstead(command, text)
	case strings.HasPrefix(text, "unknown flag "):
		return explainUnknownFlag(command, text, args)
	case strings.HasPrefix(text, "expected one of "):
		return "expected one of " + strings.Join(quoteEach(childNames(command)), ", ")
	case strings.HasPrefix(text, "expected ") && len(command.Positional) > 0:
		return text + describeMissingArgument(command, text)
	case strings.HasPrefix(name, "--") && strings.HasSuffix(withoutValue, `but got "EOL" (<EOL>)`):
		return name + ": the value is missing; write " + name + "=VALUE"
	}
	return text
}

// acceptedInstead says what a command accepts in place of an unexpected argument, and which flag is probably meant.
func acceptedInstead(command *kong.Node, text string) string {
	switch {
	case len(command.Children) > 0:
		return "; the commands are " + strings.Join(childNames(command), ", ")
	case len(command.Positional) > 0:
		return "; it takes " + command.Positional[0].Summary()
	}
	argument, _, _ := strings.Cut(strings.TrimPrefix(text, "unexpected argument "), ", did you mean ")
	var names []string
	for _, flag := range command.Flags {
		names = append(names, "--"+flag.Name)
	}
	return "; it takes only flags, such as " + strings.Join(append(names, "--config"), ", ") +
		probableFlag(command, argument)
}

// probableFlag names the flag that is meant by an argument of a command that takes only flags: the one of that name, or
// else the command's first flag with a value. It is empty if neither exists.
func probableFlag(command *kong.Node, argument string) string {
	name, _, _ := strings.Cut(argument, "=")
	if findFlag(command, name) != nil {
		return "; perhaps --" + argument + " is meant"
	}
	for _, flag := range command.Flags {
		if !flag.IsBool() {
			return "; perhaps --" + flag.Name + "=" + quoteArgument(argument) + " is meant"
		}
	}
	return ""
}

// explainUnknownFlag names the flag that is meant by a long flag with a single dash, such as -name, which the parser
// reads as the flag -n.
func explainUnknownFlag(command *kong.Node, text string, args []string) string {
	for _, arg := range args {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && len(name) > 1 && findFlag(command, name) != nil {
			return "unknown flag -" + name + "; flags have two dashes: --" + name
		}
	}
	return text
}

// describeMissingArgument returns the help of the first missing argument.
func describeMissingArgument(command *kong.Node, text string) string {
	for _, argument := range command.Positional {
		if strings.Contains(text, strconv.Quote(argument.Summary())) {
			return ": " + strings.TrimSuffix(argument.Help, ".")
		}
	}
	return ""
}

// findFlag returns the flag of that name that the command or a parent has; nil if there is none.
func findFlag(command *kong.Node, name string) *kong.Flag {
	for node := command; node != nil; node = node.Parent {
		if i := slices.IndexFunc(node.Flags, func(f *kong.Flag) bool { return f.Name == name }); i >= 0 {
			return node.Flags[i]
		}
	}
	return nil
}

// childNames returns the names of a command's subcommands.
func childNames(command *kong.Node) (names []string) {
	for _, child := range command.Children {
		names = append(names, child.Name)
	}
	return names
}

// quoteEach puts each name in double quotes.
func quoteEach(names []string) (quoted []string) {
	for _, name := range names {
		quoted = append(quoted, strconv.Quote(name))
	}
	return quoted
}

// quoteArgument puts an argument that contains spaces in quotes, as a shell needs it.
func quoteArgument(argument string) string {
	if strings.ContainsAny(argument, " \t") {
		return "'" + argument + "'"
	}
	return argument
}
