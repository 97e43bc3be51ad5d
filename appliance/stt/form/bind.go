package form

import (
	"net/http"
	"reflect"
	"slices"
	"unicode/utf8"
)

// bind sets every field and collects what is wrong, headers first, as FastAPI orders them.
func bind(fields []field, b *body, h http.Header) Invalid {
	var bad Invalid
	for i := range fields {
		if fields[i].place == inHeader {
			bad = append(bad, fields[i].fromHeader(h)...)
		}
	}
	bad = append(bad, b.faults...)
	for i := range fields {
		if fields[i].place == inBody {
			bad = append(bad, fields[i].fromBody(b)...)
		}
	}
	return bad
}

// fromHeader: a header that is there but empty is an empty string, unlike an empty form value.
func (f *field) fromHeader(h http.Header) Invalid {
	values := h.Values(f.name)
	if len(values) == 0 {
		return f.scalar(f.preset, f.preset != "")
	}
	return f.scalar(latin1(values[0]), true)
}

func (f *field) fromBody(b *body) Invalid {
	switch f.kind {
	case isUpload:
		return f.upload(b)
	case isList:
		return f.list(b.values[f.name])
	}
	values := b.values[f.name]
	if len(values) == 0 || values[len(values)-1] == "" {
		return f.scalar(f.preset, f.preset != "")
	}
	return f.scalar(values[len(values)-1], true)
}

func (f *field) upload(b *body) Invalid {
	u, texts := b.files[f.name], b.values[f.name]
	switch {
	case u != nil:
		f.dst.Set(reflect.ValueOf(u))
	case b.broken[f.name]:
		return Invalid{brokenFile(f.loc())}
	case len(texts) > 0 && texts[len(texts)-1] != "":
		return Invalid{notUpload(f.loc(), clean(texts[len(texts)-1]))}
	case f.required:
		return Invalid{missing(f.loc())}
	}
	return nil
}

// list takes every value of the field; empty ones are null, and null is no member.
func (f *field) list(values []string) Invalid {
	var bad Invalid
	kept := []string{}
	for i, v := range values {
		if v == "" {
			continue
		}
		if one := f.check(v, f.loc(i)); one != nil {
			bad = append(bad, *one)
			continue
		}
		kept = append(kept, v)
	}
	f.dst.Set(reflect.ValueOf(kept))
	return bad
}

// scalar sets the field from its text, or to nil (zero, when it can't be nil) when nothing is present.
func (f *field) scalar(s string, present bool) Invalid {
	f.dst.SetZero()
	if !present {
		return nil
	}
	target := f.dst
	if f.nullable {
		target = reflect.New(f.dst.Type().Elem()).Elem()
	}
	if bad := f.set(target, s); bad != nil {
		return Invalid{*bad}
	}
	if f.nullable {
		f.dst.Set(target.Addr())
	}
	return nil
}

func (f *field) set(target reflect.Value, s string) *Violation {
	var bad *fault
	switch f.kind {
	case isBool:
		var v bool
		v, bad = parseBool(s)
		target.SetBool(v)
	case isInt:
		var v int64
		v, bad = parseInt(s)
		target.SetInt(v)
		if bad == nil {
			return f.ranged(float64(v), s)
		}
	case isFloat:
		var v float64
		v, bad = parseFloat(s)
		target.SetFloat(v)
		if bad == nil {
			return f.ranged(v, s)
		}
	default:
		target.SetString(s)
		return f.check(s, f.loc())
	}
	if bad != nil {
		return &Violation{Type: bad.kind, Loc: f.loc(), Msg: bad.msg, Input: clean(s)}
	}
	return nil
}

func (f *field) ranged(v float64, input string) *Violation {
	for _, b := range bounds {
		if limit, ok := f.limits[b.tag]; ok && !b.holds(v, limit) {
			bad := outOfRange(b, limit, f.loc(), input)
			return &bad
		}
	}
	return nil
}

// check looks at a string: its choices, or its length and then its shape; the first fault counts, as in Pydantic.
func (f *field) check(s string, loc []any) *Violation {
	var bad Violation
	length := utf8.RuneCountInString(s)
	switch {
	case f.literal != nil && !slices.Contains(f.literal, s):
		bad = oneOf("literal_error", loc, clean(s), f.literal)
	case f.enum != nil && !slices.Contains(f.enum, s):
		bad = oneOf("enum", loc, clean(s), f.enum)
	case !utf8.ValidString(s):
		bad = notUnicode(loc)
	case length < f.min:
		bad = tooShort(loc, s, f.min)
	case f.max > 0 && length > f.max:
		bad = tooLong(loc, s, f.max)
	case f.pattern != nil && !f.pattern.MatchString(s):
		bad = mismatch(loc, s, f.pattern.String())
	default:
		return nil
	}
	return &bad
}

// clean makes foreign bytes fit for JSON, as Starlette reads them.
func clean(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return latin1(s)
}

// latin1 is how HTTP reads a header's bytes beyond ASCII.
func latin1(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}
