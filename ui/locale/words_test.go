package locale_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"munadi/ui/locale"
)

// tornLatin is what the bidirectional algorithm draws in another order after Arabic letters: a number or a name that begins
// with a sign, which goes to its other end, and digits with hyphens, which are drawn from the right. isolatedText is
// what has a direction of its own.
var (
	tornLatin    = regexp.MustCompile(`(?:^|[\p{Arabic}،؛:][ «(]|[«(])[-+./@]+[A-Za-z0-9]\S*|\p{Arabic}[ «(:]*[0-9]+-[0-9]\S*`)
	isolatedText = regexp.MustCompile(`\x{200e}[^\x{200e}\p{Arabic}]*|[\x{2066}\x{2068}][^\x{2069}]*\x{2069}`)
)

// sameInBoth are texts that read the same in both languages.
var sameInBoth = []string{"JSON", "RNNT", "CTC", "—", "0123456789", "٠١٢٣٤٥٦٧٨٩"}

// TestTextsAreComplete reads the texts of all sections where they are declared: none is empty, none is the same in both
// languages, and both fill in the same values.
func TestTextsAreComplete(t *testing.T) {
	t.Parallel()
	texts, counted := 0, 0
	visitDeclarations(t, func(at token.Position, name string, value ast.Expr) {
		for _, pair := range textPairs(value) {
			texts++
			checkPair(t, at, name, pair)
		}
		if ar, en, ok := countedPair(value); ok {
			counted++
			checkCounted(t, at, name, locale.Arabic, ar)
			checkCounted(t, at, name, locale.English, en)
			if a, e := strings.Count(ar.Fill(3), "{"), strings.Count(en.Fill(3), "{"); a != e {
				t.Errorf("%s: %s fills in %d values in Arabic, %d in English", at, name, a, e)
			}
		}
	})
	if texts < 1500 || counted < 30 {
		t.Errorf("found only %d texts and %d counted ones", texts, counted)
	}
}

// visitDeclarations visits the package-level variables of ui.
func visitDeclarations(t *testing.T, visit func(at token.Position, name string, value ast.Expr)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "*", "*.go"))
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	set := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				for i, value := range spec.(*ast.ValueSpec).Values {
					visit(set.Position(value.Pos()), spec.(*ast.ValueSpec).Names[i].Name, value)
				}
			}
		}
	}
}

// typeName returns the name of a literal's type without its package; empty for an elided one.
func typeName(lit *ast.CompositeLit) string {
	switch kind := lit.Type.(type) {
	case *ast.Ident:
		return kind.Name
	case *ast.SelectorExpr:
		return kind.Sel.Name
	case *ast.ArrayType:
		return "[]" + typeName(&ast.CompositeLit{Type: kind.Elt})
	}
	return ""
}

// textPairs returns the Arabic and English texts in a value.
func textPairs(value ast.Expr) (pairs [][2]string) {
	ast.Inspect(value, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		switch typeName(lit) {
		case "Text":
			pairs = append(pairs, [2]string(literalTexts(lit.Elts)))
		case "[]Text", "WordTable":
			for _, row := range lit.Elts {
				if texts := literalTexts(row.(*ast.CompositeLit).Elts); len(texts) >= 2 {
					pairs = append(pairs, [2]string(texts[len(texts)-2:]))
				}
			}
		}
		return true
	})
	return pairs
}

// literalTexts returns the values of string literals and of their sums; empty for anything else.
func literalTexts(exprs []ast.Expr) []string {
	texts := make([]string, len(exprs))
	for i, e := range exprs {
		switch e := e.(type) {
		case *ast.BasicLit:
			texts[i], _ = strconv.Unquote(e.Value)
		case *ast.BinaryExpr:
			texts[i] = strings.Join(literalTexts([]ast.Expr{e.X, e.Y}), "")
		}
	}
	return texts
}

var filledIn = regexp.MustCompile(`\{\w*\}`)

func checkPair(t *testing.T, at token.Position, name string, pair [2]string) {
	t.Helper()
	ar, en := pair[0], pair[1]
	switch {
	case strings.TrimSpace(ar) == "" || strings.TrimSpace(en) == "":
		t.Errorf("%s: %s is %q in Arabic, %q in English", at, name, ar, en)
	case ar == en && !slices.Contains(sameInBoth, ar):
		t.Errorf("%s: %s reads the same in both languages: %q", at, name, ar)
	}
	if found := tornLatin.FindString(isolatedText.ReplaceAllString(ar, "")); found != "" {
		t.Errorf("%s: in %q %q is drawn in another order; write \\u200e before it, or \\u2066 and \\u2069 around it", at, ar, found)
	}
	a, e := filledIn.FindAllString(ar, -1), filledIn.FindAllString(en, -1)
	slices.Sort(a)
	slices.Sort(e)
	if !slices.Equal(a, e) {
		t.Errorf("%s: %s fills in %v in Arabic, %v in English", at, name, a, e)
	}
}

// countedPair evaluates a CountedPair.
func countedPair(value ast.Expr) (ar, en locale.CountedText, ok bool) {
	lit, ok := value.(*ast.CompositeLit)
	if !ok || typeName(lit) != "CountedPair" {
		return ar, en, false
	}
	return evaluateCounted(lit.Elts[0]), evaluateCounted(lit.Elts[1]), true
}

// evaluateCounted evaluates a call of the functions that make counted texts.
func evaluateCounted(e ast.Expr) locale.CountedText {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return locale.CountedText{}
	}
	name, args := "", literalTexts(call.Args)
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		if name = fun.Sel.Name; name == "WithDual" {
			return evaluateCounted(fun.X).WithDual(args[0])
		}
	}
	switch name {
	case "ArabicCount":
		return locale.ArabicCount(args[0], args[1], args[2], args[3], args[4], args[5])
	case "ArabicNoun":
		return locale.ArabicNoun(args[0], args[1], args[2], args[3], args[4], args[5], args[6], args[7])
	case "ArabicCalls":
		return locale.ArabicCalls(args[0], args[1])
	case "ArabicOfCalls":
		return locale.ArabicOfCalls(args[0], args[1])
	case "EnglishCount":
		return locale.EnglishCount(args[0], args[1])
	}
	return locale.CountedText{}
}

// checkCounted reads a counted text for 0, 1, 2, 3, 11 and 100: it is empty only for counts that are never said, and has
// no placeholder of the number left.
func checkCounted(t *testing.T, at token.Position, name string, l locale.Language, text locale.CountedText) {
	t.Helper()
	for _, n := range []int{0, 1, 2, 3, 11, 100} {
		got := text.Fill(n)
		if got == "" && n > 0 || strings.Contains(got, "{n}") || n > 2 && !strings.ContainsAny(got, "0123456789") {
			t.Errorf("%s: %s says %q for %d in %s", at, name, got, n, l)
		}
	}
}

// TestFaultsOfTextsAreFound proves that the test above can fail.
func TestFaultsOfTextsAreFound(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{
		`Text{"", "Calls"}`: 1, `locale.Text{"مكالمات", "Calls"}`: 1, `[]locale.Text{{"أ", "a"}, {"ب", "b"}}`: 2,
		`locale.WordTable{{"x", "أ", "a"}}`: 1, `[]HowTo{{locale.Text{"أ", "a"}, locale.Text{"ب", "b"}}}`: 2, `"Text"`: 0,
	} {
		value, err := parser.ParseExpr(source)
		if err != nil {
			t.Fatal(err)
		}
		if pairs := textPairs(value); len(pairs) != want {
			t.Errorf("%s has %q", source, pairs)
		}
	}
	value, err := parser.ParseExpr(`locale.CountedPair{locale.ArabicCalls("", " هنا").WithDual("هما هنا"), locale.EnglishCount("one", "{n}")}`)
	if err != nil {
		t.Fatal(err)
	}
	ar, en, ok := countedPair(value)
	if !ok || ar.Fill(2) != "هما هنا" || ar.Fill(3) != "3 مكالمات هنا" || en.Fill(5) != "5" {
		t.Errorf("%v: %q, %q, %q", ok, ar.Fill(2), ar.Fill(3), en.Fill(5))
	}
}
