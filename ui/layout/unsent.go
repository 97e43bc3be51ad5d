package layout

import "munadi/ui/locale"

// UnsentForm is a form that was refused because its session has ended, or is another one. Its page keeps what was typed
// until it is sent again; nothing is stored.
type UnsentForm struct {
	ConsolePage
	Address string // where the form was sent
	Parts   bool   // as multipart/form-data
	Fields  []UnsentField
	Secrets []string // names of filled passwords, which are not kept
	HadFile bool     // a file, which is not kept
}

// UnsentField is a field with what was typed.
type UnsentField struct {
	Name   string
	Values []string
}

// isSignedIn reports whether the form can be sent now.
func (p UnsentForm) isSignedIn() bool { return p.User != "" }

// encoding returns the form's enctype.
func (p UnsentForm) encoding() string {
	if p.Parts {
		return "multipart/form-data"
	}
	return "application/x-www-form-urlencoded"
}

// HeadingText returns the heading.
func (p UnsentForm) HeadingText() string {
	if p.isSignedIn() {
		return locale.UnsentReady.In(p.Lang)
	}
	return locale.UnsentSignedOut.In(p.Lang)
}

// adviceText returns what to do.
func (p UnsentForm) adviceText() string {
	if p.isSignedIn() {
		return locale.FillSentence(locale.UnsentReadyDo.In(p.Lang), "user", p.User, "organization", p.Org)
	}
	return locale.UnsentSignedOutDo.In(p.Lang)
}
