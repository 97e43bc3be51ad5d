package locale_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"munadi/ui/locale"
)

// TestScenarioFaultsAreTranslated: every message of the checks of scenarios has a sentence in both languages.
func TestScenarioFaultsAreTranslated(t *testing.T) {
	t.Parallel()
	verb := regexp.MustCompile(`%[a-z]`)
	for _, message := range checkMessages(t) {
		example := verb.ReplaceAllString(message, "7")
		if message == "%s" {
			continue // an error, whose messages are below
		}
		for _, l := range locale.AllLanguages() {
			if got := locale.ScenarioFault(l, example); !locale.IsScenarioFault(example) || strings.Contains(got, "{1}") {
				t.Errorf("%s: %q is told as %q", l, example, got)
			}
		}
	}
	for message, want := range map[string]string{
		"{{who}} is neither a variable nor a slot": "لا قيمة ولا إجابة باسم \u2068who\u2069. صحّح الاسم.",
		"must be from 1 to 60":                     "اكتب عددًا من \u20681\u2069 إلى \u206860\u2069.",
		"{{ is not closed":                         "الأقواس {{ لم تُغلق. اكتب }} بعدها.",
		transferFault(t):                           "اكتب رقمًا دوليًا مثل +966512345601 أو عنوانًا مثل sip:reception@pbx.example.",
		"something new":                            "something new",
	} {
		if got := locale.ScenarioFault(locale.Arabic, message); got != want {
			t.Errorf("%q is told as %q, want %q", message, got, want)
		}
	}
}

// transferFault is what the checks say of an address that is none; only its message crosses to the page.
func transferFault(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile("../../store/callrules/transfer.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`errTransferForm = errors.New\("(.*)" \+\n\s*"(.*)"\)`).FindSubmatch(source)
	if found == nil {
		t.Fatal("store/callrules has no errTransferForm")
	}
	return string(found[1]) + string(found[2])
}

// checkMessages are the format strings of the checks, out of their source.
func checkMessages(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob("../../store/scenario/check*.go")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, name := range append(files, "../../store/scenario/naming.go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 2 {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "addFailure" {
				return true
			}
			if text, ok := call.Args[1].(*ast.BasicLit); ok {
				message, err := strconv.Unquote(text.Value)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, message)
			}
			return true
		})
	}
	if len(all) < 40 {
		t.Fatalf("%d messages", len(all))
	}
	return all
}
