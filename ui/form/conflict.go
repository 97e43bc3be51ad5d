package form

import (
	"strings"

	"munadi/ui/locale"
)

// ReplacedSetting is what the form of a whole setting holds against lost updates.
type ReplacedSetting struct {
	Revision string        // of the setting that the form shows; it is sent back with the change
	Conflict []ConflictRow // fields that differ from the version that somebody else saved meanwhile; nil: none did
}

// ConflictOf returns what a form holds whose setting somebody else saved meanwhile: the revision of the saved one, and
// the fields that differ from the typed ones.
func ConflictOf(l locale.Language, revision string, saved, typed []Field) ReplacedSetting {
	p := ReplacedSetting{Revision: revision, Conflict: []ConflictRow{}}
	for i, field := range saved {
		p.CompareValues(field.label, field.plainValue(l), typed[i].plainValue(l))
	}
	return p
}

// CompareValues adds a field to the conflict if its values differ.
func (p *ReplacedSetting) CompareValues(label, saved, typed string) {
	if saved != typed {
		p.Conflict = append(p.Conflict, ConflictRow{Label: label, Saved: saved, Typed: typed})
	}
}

// plainValue returns a field's value for people.
func (f Field) plainValue(l locale.Language) string {
	switch {
	case f.kind == Check:
		return locale.SwitchText(l, f.Checked)
	case f.Options == nil:
		return f.Value
	}
	var chosen []string
	for _, o := range f.Options {
		if o.Chosen {
			chosen = append(chosen, o.Name)
		}
	}
	return strings.Join(chosen, "\n")
}

// ConflictRow is a field in both versions.
type ConflictRow struct{ Label, Saved, Typed string }
