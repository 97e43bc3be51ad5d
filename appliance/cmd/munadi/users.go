package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"munadi/appliance/admin"
	"munadi/appliance/auth"
	"munadi/appliance/config"
	"munadi/store"
	"munadi/store/account"
)

// UsersCmd is `munadi users`: the users of the console.
type UsersCmd struct {
	Create   UsersCreateCmd   `cmd:"" help:"Create a console user. The password is prompted for or read from standard input; if empty, one is generated. It must be changed at the first sign-in."`
	List     UsersListCmd     `cmd:"" help:"List the console users."`
	Password UsersPasswordCmd `cmd:"" help:"Set a user's password, read as by create, and end the user's sessions."`

	RemoveSecondFactor UsersRemoveFactorCmd `cmd:"" help:"Turn off two-step sign-in of a user who lost the phone, and end the user's sessions."`
}

// UsersCreateCmd is `munadi users create`.
type UsersCreateCmd struct {
	Name string `arg:"" help:"Sign-in name."`
	Org  string `default:"default" help:"The organization it belongs to; owners of default administer the installation."`
	Role string `name:"user-role" default:"owner" enum:"viewer,operator,owner" help:"Role: viewer, operator or owner; --role is short for it."`
}

// Run prints the new user to standard error; a generated password is printed alone to standard output.
func (c *UsersCreateCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, true, func(a admin.AdminService) error {
		return withPassword(app, func(password string) error {
			u, err := a.CreateUser(ctx, c.Org, c.Name, account.UserRole(c.Role), password)
			if err == nil {
				_, err = fmt.Fprintf(app.Stderr, "User %s of organization %s may sign in at /console as %s.\n",
					u.Name, u.OrgID, u.Role)
			}
			return err
		})
	})
}

// UsersPasswordCmd is `munadi users password`.
type UsersPasswordCmd struct {
	Name string `arg:"" help:"Sign-in name."`
}

// Run confirms on standard error; a generated password is printed alone to standard output.
func (c *UsersPasswordCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		return withPassword(app, func(password string) error {
			u, err := a.SetPassword(ctx, c.Name, password)
			if store.CodeOf(err) == store.CodeNotFound {
				return noSuchUser(c.Name)
			}
			if err == nil {
				_, err = fmt.Fprintf(app.Stderr, "User %s has a new password, and its sessions have ended.\n", u.Name)
			}
			return err
		})
	})
}

// noSuchUser is the error for an unknown name.
func noSuchUser(name string) error {
	return fmt.Errorf("there is no user %q; munadi users list shows the names", name)
}

// UsersRemoveFactorCmd is `munadi users remove-second-factor`.
type UsersRemoveFactorCmd struct {
	Name string `arg:"" help:"Sign-in name."`
}

// Run confirms on standard error.
func (c *UsersRemoveFactorCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		u, err := a.RemoveSecondFactor(ctx, c.Name)
		if store.CodeOf(err) == store.CodeNotFound {
			return noSuchUser(c.Name)
		}
		if err == nil {
			_, err = fmt.Fprintf(app.Stderr, "User %s signs in with the password alone now, and its sessions have ended.\n",
				u.Name)
		}
		return err
	})
}

// UsersListCmd is `munadi users list`.
type UsersListCmd struct {
	Org  string `placeholder:"ORG" help:"Only the users of this organization."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run prints a table, or JSON.
func (c *UsersListCmd) Run(ctx context.Context, cfg *config.Config, app *kong.Kong) error {
	return withAdmin(ctx, cfg, false, func(a admin.AdminService) error {
		users, err := a.ListUsers(ctx, c.Org)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(app.Stdout, users)
		}
		table := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "NAME\tORGANIZATION\tROLE\tCREATED\tLAST SIGN-IN\tSECOND FACTOR\tDISABLED")
		for _, u := range users {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", u.Name, u.OrgID, u.Role, formatTime(&u.CreatedAt),
				formatTime(u.LastSignInAt), map[bool]string{true: "yes", false: "no"}[u.SecondFactor], formatTime(u.DisabledAt))
		}
		return table.Flush()
	})
}

// withPassword runs work with the password that the operator enters, or with a generated one, which it prints after
// the work is done.
func withPassword(app *kong.Kong, work func(password string) error) error {
	password, err := readPassword(os.Stdin, app.Stderr)
	if err != nil {
		return err
	}
	made := password == ""
	if made {
		password = auth.SuggestPassword()
	}
	if err := work(password); err != nil {
		return err
	}
	if made {
		if _, err := fmt.Fprintln(app.Stdout, password); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(app.Stderr,
		"This password is for the first sign-in, which asks for another one: it expires in %d days.\n",
		int(auth.SuggestedFor.Hours()/24))
	return err
}

// readPassword asks twice on a terminal without echo, and reads the first line of any other input. A flag would
// expose the password to every user of the machine.
func readPassword(in *os.File, prompt io.Writer) (string, error) {
	if fd := int(in.Fd()); term.IsTerminal(fd) {
		return askPassword(fd, prompt)
	}
	line, err := bufio.NewReader(io.LimitReader(in, 4*auth.MaxPassword+2)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

func askPassword(fd int, prompt io.Writer) (string, error) {
	var typed [2]string
	for i, question := range []string{"Password (empty: generate one): ", "Again: "} {
		fmt.Fprint(prompt, question)
		b, err := term.ReadPassword(fd)
		fmt.Fprintln(prompt)
		if err != nil {
			return "", fmt.Errorf("read the password: %w", err)
		}
		if typed[i] = string(b); typed[0] == "" {
			return "", nil
		}
	}
	if typed[0] != typed[1] {
		return "", errors.New("the two passwords differ")
	}
	return typed[0], nil
}
