package form_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"munadi/ui/form"
	"munadi/ui/locale"
)

// order is a record with a value of each kind.
type order struct {
	Name   string
	Count  int
	Least  *int
	Price  *float64
	Ready  bool
	Lines  []string
	Delays []int
	Kind   sort
}

// sort is a type of strings.
type sort string

var orderFields = []form.Declared[*order]{
	{Name: "name", Label: locale.Text{"الاسم", "Name"}, Help: locale.Text{"كما يُنطق", "As spoken"}, Value: func(o *order) any { return &o.Name }},
	{Name: "count", Label: locale.Text{"العدد", "Count"}, Kind: form.Number, Usual: "1", Value: func(o *order) any { return &o.Count }},
	{Name: "least", Label: locale.Text{"الأقل", "Least"}, Kind: form.Number, Value: func(o *order) any { return &o.Least }},
	{Name: "price", Label: locale.Text{"السعر", "Price"}, Kind: form.Number, Value: func(o *order) any { return &o.Price }},
	{Name: "ready", Label: locale.Text{"جاهز", "Ready"}, Kind: form.Check, Value: func(o *order) any { return &o.Ready }},
	{Name: "lines", Label: locale.Text{"الأسطر", "Lines"}, Kind: form.Area, Value: func(o *order) any { return &o.Lines }},
	{Name: "delays", Label: locale.Text{"المهل", "Delays"}, Value: func(o *order) any { return &o.Delays }},
	{
		Name: "kind", Label: locale.Text{"النوع", "Kind"}, Kind: form.List, Value: func(o *order) any { return &o.Kind },
		Options: func(*order) []form.Option { return []form.Option{{Value: "a", Name: "A"}, {Value: "b", Name: "B"}} },
		Missing: locale.Text{"لا {id}", "no {id}"}, Has: func(o *order) bool { return o.Name != "plain" },
	},
}

func TestDeclaredFieldsAreRead(t *testing.T) {
	t.Parallel()
	two, three := 2, 1.5
	o := order{Name: "x", Least: &two, Price: &three, Ready: true, Kind: "a"}
	form.BindDeclared(form.NewBinder(locale.English, url.Values{
		"o.name": {" bread \r\n"}, "o.count": {"٤"}, "o.least": {""}, "o.price": {"2.25"}, "o.ready": {"0"},
		"o.lines": {"a\r\n\r\n b"}, "o.delays": {"10; ۲۰"}, "o.kind": {"b"},
	}, nil), "o", &o, orderFields)
	price := 2.25
	want := order{Name: "bread", Count: 4, Price: &price, Lines: []string{"a", "b"}, Delays: []int{10, 20}, Kind: "b"}
	if diff := cmp.Diff(want, o); diff != "" {
		t.Errorf("-want +got %s", diff)
	}
	before := o
	form.BindDeclared(form.NewBinder(locale.English, url.Values{"o.other": {"1"}}, nil), "o", &o, orderFields)
	if diff := cmp.Diff(before, o); diff != "" {
		t.Errorf("a form without the fields changed %s", diff)
	}
}

func TestBoxesAreReadWithAndWithoutATick(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sent   []string
		before bool
		want   bool
	}{{[]string{"0", "1"}, false, true}, {[]string{"0"}, true, false}, {nil, true, true}, {nil, false, false}} {
		o := order{Ready: c.before}
		given := url.Values{"name": {""}}
		if c.sent != nil {
			given["ready"] = c.sent
		}
		form.BindDeclared(form.NewBinder(locale.English, given, nil), "", &o, orderFields)
		if o.Ready != c.want {
			t.Errorf("%v for %v is read as %v", c.sent, c.before, o.Ready)
		}
	}
}

// TestFaultsAreBesideTheirFields checks that each violation is shown once: beside its field, or in the rest.
func TestFaultsAreBesideTheirFields(t *testing.T) {
	t.Parallel()
	o := order{Lines: []string{"a", "b"}, Kind: "gone"}
	b := form.NewBinder(locale.English, url.Values{"count": {"many"}}, []form.Violation{
		{Path: "name", Message: "Write a name."}, {Path: "lines.1", Message: "Not <this>."}, {Path: "other", Message: "Left."},
	})
	fields := form.BindDeclared(b, "", &o, orderFields)
	var out bytes.Buffer
	if err := form.ShowRow(fields).Render(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	shown := out.String()
	for _, want := range []string{
		"Write a name.", "Not &lt;this&gt;.", "Write a number.", "no gone", `name="kind"`, `aria-invalid="true"`, "As spoken",
		`placeholder="1"`, `<input type="hidden" name="ready" value="0">`,
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the form lacks %s: %s", want, shown)
		}
	}
	if rest := b.TakeRest(""); len(rest) != 1 || rest[0].Path != "other" || b.TakeRest("") != nil {
		t.Errorf("the rest is %v", rest)
	}
	if !form.AnyFault(fields...) || form.AnyFault(fields[len(fields)-1]) {
		t.Error("what folds the fields would not open, or always")
	}
	o.Name = "plain"
	if n := len(form.BindDeclared(form.NewBinder(locale.English, nil, nil), "", &o, orderFields)); n != len(orderFields)-1 {
		t.Errorf("%d fields, one of them not the record's", n)
	}
}

// TestInputsHaveTheirTypes checks that each kind is the input of its type, that a secret and a file are never sent back,
// and that a field's own attributes win.
func TestInputsHaveTheirTypes(t *testing.T) {
	t.Parallel()
	o := order{Name: "said", Kind: "b"}
	var declared []form.Declared[*order]
	for name, kind := range map[string]form.FieldKind{
		"line": form.Line, "password": form.Password, "phone": form.Phone, "link": form.Link, "date": form.Date,
		"moment": form.Moment, "hidden": form.Hidden,
	} {
		declared = append(declared, form.Declared[*order]{Name: name, Kind: kind, Value: func(o *order) any { return &o.Name }})
	}
	declared = append(declared,
		form.Declared[*order]{Name: "file", Kind: form.File, Attributes: templ.Attributes{"accept": ".csv"}},
		form.Declared[*order]{Name: "radios", Kind: form.Radios, Options: orderFields[7].Options, Value: orderFields[7].Value},
		form.Declared[*order]{
			Name: "new", Kind: form.Password, Attributes: templ.Attributes{"autocomplete": "new-password"}, Value: orderFields[0].Value,
		})
	var out bytes.Buffer
	fields := form.BindDeclared(form.NewBinder(locale.English, nil, nil), "", &o, declared)
	if err := form.ShowAll(fields).Render(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	types := map[string]string{"f-line": "text", "f-phone": "tel", "f-link": "url", "f-date": "date", "f-moment": "datetime-local"}
	page, err := html.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for n := range page.Descendants() {
		if n.Data != "input" {
			continue
		}
		a := map[string]string{}
		for _, kept := range n.Attr {
			a[kept.Key] = kept.Val
		}
		seen[a["name"]] = true
		switch name := a["name"]; name {
		case "password", "new", "file":
			if _, sentBack := a["value"]; sentBack || a["type"] != strings.Replace(name, "new", "password", 1) {
				t.Errorf("%s is %v", name, a)
			}
		case "radios":
			if _, chosen := a["checked"]; a["type"] != "radio" || chosen != (a["value"] == "b") {
				t.Errorf("a round box is %v", a)
			}
		case "hidden":
			if a["value"] != "said" {
				t.Errorf("the hidden input is %v", a)
			}
		default:
			if a["type"] != types[a["id"]] || a["value"] != "said" {
				t.Errorf("%s is %v", name, a)
			}
		}
		if name := a["name"]; name == "new" && a["autocomplete"] != "new-password" || name == "password" && a["autocomplete"] != "off" {
			t.Errorf("%s completes %q", name, a["autocomplete"])
		}
	}
	if len(seen) != len(declared) {
		t.Errorf("inputs are %v", seen)
	}
}
