package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/bulk"
	"munadi/store/call"
	"munadi/store/campaign"
)

// Erasure is an erasure of a person (right to erasure) in progress. Each of its transactions but the last one stores
// it, so that it can be resumed; the last one replaces it by the audit entry.
type Erasure struct {
	OrgID  string              `json:"org_id"`
	Number string              `json:"number"` // E.164
	Actor  string              `json:"actor"`  // who asked for it, or last repeated the request
	At     time.Time           `json:"at"`
	Names  []string            `json:"names,omitempty"` // of the person in the calls found so far
	Done   store.ErasureResult `json:"done"`            // so far
}

// AuditEntry returns the audit entry of a completed erasure, also of one that found nothing: the request itself must
// be provable.
func (r Erasure) AuditEntry() store.AuditEntry {
	note := fmt.Sprintf("%d calls emptied, %d cancelled", r.Done.Calls, r.Done.Cancelled)
	for _, part := range []struct {
		n   int
		say string
	}{
		{r.Done.Running, "%d running: emptied when they end"},
		{r.Done.Mentions, "%d mentions in campaigns, views and bulk changes removed"},
		{r.Done.Unreadable, "%d records cannot be read: the disk damaged them"},
	} {
		if part.n > 0 {
			note += ", " + fmt.Sprintf(part.say, part.n)
		}
	}
	return store.AuditEntry{
		At: r.At, Actor: r.Actor, Action: "person.erase", Subject: call.MaskNumber(r.Number), Note: note,
	}
}

// erasedText replaces texts that hold an erased number.
const erasedText = "the person was erased"

// WithoutSkippedRows empties the rows of a campaign's request that were not booked and hold the number.
func (r Erasure) WithoutSkippedRows(rows []campaign.SkippedRow) (_ []campaign.SkippedRow, n int) {
	for i, row := range rows {
		if holdsNumber(row.PhoneNumber, r.Number) || holdsNumber(row.Message, r.Number) {
			rows[i].PhoneNumber, rows[i].Message, rows[i].Name = "", erasedText, ""
			n++
		}
	}
	return rows, n
}

// WithoutViews removes a user's saved views whose name or filter holds the number, or whose filter holds the name.
func (r Erasure) WithoutViews(u account.User) (_ account.User, n int) {
	kept := slices.DeleteFunc(u.Views, func(v account.SavedView) bool {
		texts := []string{v.Name}
		query, _ := url.ParseQuery(v.Query) // invalid parts filter nothing
		for _, values := range query {
			texts = append(texts, values...)
		}
		return r.isInAny(texts) || r.isNamed(query.Get("name"))
	})
	u.Views, n = kept, len(u.Views)-len(kept)
	return u, n
}

// WithoutMappings removes the remembered column mappings whose headers hold the number: the first row of a contact
// file without headers.
func (r Erasure) WithoutMappings(m campaign.ImportMemory) (_ campaign.ImportMemory, n int) {
	kept := slices.DeleteFunc(m.Mappings, func(one campaign.ColumnMapping) bool { return r.isInAny(one.Headers) })
	m.Mappings, n = kept, len(m.Mappings)-len(kept)
	return m, n
}

// WithoutBulkFilters ends the bulk changes of the calls to the number, none of which is scheduled any more, and removes
// filters that hold it from ended ones.
func (r Erasure) WithoutBulkFilters(b bulk.BulkBoard) (_ bulk.BulkBoard, n int) {
	n = b.DropFilters(func(c bulk.BulkChange) bool {
		var f store.CallFilter
		if json.Unmarshal(c.Filter, &f) != nil {
			return bytes.Contains(c.Filter, []byte(r.Number))
		}
		return f.PhoneNumber == r.Number ||
			c.HasEnded() && (r.isInAny([]string{f.NumberContains, f.NumberEnds}) || r.isNamed(f.Name))
	}, r.At)
	return b, n
}

// isNamed reports whether a search by name tells the person from others: it finds one of their names by two words of it
// or more, or by all.
func (r Erasure) isNamed(typed string) bool {
	words := call.NameWords(typed)
	return slices.ContainsFunc(r.Names, func(name string) bool {
		of := call.NameWords(name)
		begins := func(word string) bool {
			return slices.ContainsFunc(of, func(one string) bool { return strings.HasPrefix(one, word) })
		}
		missing := slices.ContainsFunc(words, func(word string) bool { return !begins(word) })
		return len(words) > 0 && len(words) >= min(2, len(of)) && !missing
	})
}

func (r Erasure) isInAny(texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return holdsNumber(text, r.Number) })
}

// minNationalDigits is how many last digits of a number identify it without its country code.
const minNationalDigits = 7

// holdsNumber reports whether a text holds a number of E.164 in any notation: with separators, in Arabic digits, with
// 00 or without its country code.
func holdsNumber(text, number string) bool {
	digits := strings.TrimPrefix(number, "+")
	for _, run := range digitRuns(text) {
		significant := strings.TrimLeft(run, "0")
		if strings.Contains(run, digits) ||
			len(significant) >= minNationalDigits && strings.HasSuffix(digits, significant) {
			return true
		}
	}
	return false
}

// digitRuns returns the sequences of digits in a text, in ASCII. Separators within a number do not end one.
func digitRuns(text string) []string {
	mapped := strings.Map(func(c rune) rune {
		switch {
		case c >= '0' && c <= '9':
			return c
		case c >= '٠' && c <= '٩':
			return c - '٠' + '0'
		case c >= '۰' && c <= '۹':
			return c - '۰' + '0'
		case strings.ContainsRune(" \u00a0-.()/\u200e\u200f\u202a\u202b\u202c\u2066\u2069", c):
			return -1
		}
		return ' '
	}, text)
	return strings.Fields(mapped)
}
