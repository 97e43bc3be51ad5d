package modelshare

import (
	"fmt"
	"strings"
)

// ProblemKind is the kind of a fault of a shared model.
type ProblemKind string

// Kinds of problems; in brackets the fields that are set in addition to the model's name.
const (
	NotShared           ProblemKind = "not_shared"           // it cannot be uploaded (Detail)
	NameInUse           ProblemKind = "name_in_use"          // another model of that name is in the bucket
	NoDiskRoom          ProblemKind = "no_disk_room"         // it is not fetched (Need, Free)
	DamagedModel        ProblemKind = "damaged_model"        // the download does not match its record (Detail)
	UnreadableRecord    ProblemKind = "unreadable_record"    // its record in the bucket (Detail: the object)
	UnreadableSelection ProblemKind = "unreadable_selection" // the choice in the bucket (Detail: the object), no name
	NotHereYet          ProblemKind = "not_here_yet"         // the other appliances serve with it
	CannotOpen          ProblemKind = "cannot_open"          // the other appliances serve with it (Detail, or empty)
	CannotShare         ProblemKind = "cannot_share"         // the bucket or the disk fails (Detail), no name
)

// ShareProblem is a fault of shared models.
type ShareProblem struct {
	Kind       ProblemKind
	Model      string // empty: the built-in one, or none
	Need, Free int64  // bytes
	Detail     string // in English, from the program or the bucket; may be empty
}

// String returns the problem as a sentence, for logs, health and the command line.
func (p ShareProblem) String() string {
	name := modelTitle(p.Model)
	switch p.Kind {
	case NotShared:
		return fmt.Sprintf("the model %s cannot be shared: %s", name, p.Detail)
	case NameInUse:
		return fmt.Sprintf("the model %s on this machine differs from the one of that name in the bucket: "+
			"import it under another name, or remove it here", name)
	case NoDiskRoom:
		return fmt.Sprintf(
			"the model %s of the bucket is not downloaded: it needs %d MB, but %d MB are free in the data folder",
			name, p.Need/1e6, p.Free/1e6)
	case DamagedModel:
		return fmt.Sprintf("the model %s of the bucket is damaged: %s; import it again", name, p.Detail)
	case UnreadableRecord:
		return p.Detail + " in the bucket cannot be read: remove it, and install the model again"
	case UnreadableSelection:
		return p.Detail + " in the bucket cannot be read: choose the model again"
	case NotHereYet:
		return fmt.Sprintf("the other appliances use the model %s, which is not on this machine yet", name)
	case CannotOpen:
		text := fmt.Sprintf("the model %s, which the other appliances use, cannot be opened on this machine", name)
		if p.Detail != "" {
			text += ": " + p.Detail
		}
		return text
	default:
		return "models cannot be shared: " + p.Detail
	}
}

// ListKinds returns all kinds of problems.
func ListKinds() []ProblemKind {
	return []ProblemKind{
		NotShared, NameInUse, NoDiskRoom, DamagedModel, UnreadableRecord, UnreadableSelection, NotHereYet, CannotOpen,
		CannotShare,
	}
}

// ProblemSentences returns the problems as English sentences.
func (s ShareStatus) ProblemSentences() []string {
	var all []string
	for _, p := range s.Problems {
		all = append(all, p.String())
	}
	return all
}

// joinProblems returns problems as one line.
func joinProblems(all []ShareProblem) string {
	return strings.Join(ShareStatus{Problems: all}.ProblemSentences(), "; ")
}
