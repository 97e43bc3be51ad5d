package arrows_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Limits of names: a function is verb and object, a type says of what it is. Measured over all code except tests and
// generated files.
const (
	leastWords  = 2.0  // words of a function's name, on average
	mostOneWord = 0.35 // of the functions, and of the types
)

// oneWordFunctions are the exported package-level functions of one word, each with its reason. No search finds such a
// name, so a new function needs an object, too.
var oneWordFunctions = []string{
	"appliance.New",                                                    // the package is the product; docs/embedding.md
	"appliance/config.Default",                                         // config.Default() reads as a sentence; docs/embedding.md
	"engine.Open",                                                      // the package is the recognizer
	"engine/kernel.Log", "engine/kernel.Sigmoid", "engine/kernel.Tanh", // functions of mathematics
	"store.Errorf", // as fmt.Errorf
}

// declaredNames are the names of the module's code, as PACKAGE.Name.
type declaredNames struct {
	functions, types []string // names without their package
	exported         []string // package-level functions of one word, with their package
}

func TestNamesAreFound(t *testing.T) {
	t.Parallel()
	all := parseNames(t, filepath.Join("..", ".."))
	words, single := 0, 0
	for _, name := range all.functions {
		n := countWords(name)
		words += n
		if n == 1 {
			single++
		}
	}
	total := float64(len(all.functions))
	if mean := float64(words) / total; mean < leastWords {
		t.Errorf("a function's name has %.2f words on average, at least %.1f are wanted", mean, leastWords)
	}
	if share := float64(single) / total; share > mostOneWord {
		t.Errorf("%.0f %% of the functions have names of one word, at most %.0f %% may", 100*share, 100*mostOneWord)
	}
	single = 0
	for _, name := range all.types {
		if countWords(name) == 1 {
			single++
		}
	}
	if share := float64(single) / float64(len(all.types)); share > mostOneWord {
		t.Errorf("%.0f %% of the types have names of one word, at most %.0f %% may", 100*share, 100*mostOneWord)
	}
	for _, name := range all.exported {
		if !slices.Contains(oneWordFunctions, name) {
			t.Errorf("%s: an exported function's name is a verb and its object", name)
		}
	}
}

// parseNames reads the names that the module's code declares.
func parseNames(t *testing.T, root string) declaredNames {
	t.Helper()
	var all declaredNames
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name()[0] == '.' || d.Name() == "testdata" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"), strings.HasSuffix(path, "_templ.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		all.addFile(filepath.ToSlash(folder), file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (all *declaredNames) addFile(folder string, file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			all.functions = append(all.functions, d.Name.Name)
			if d.Recv == nil && d.Name.IsExported() && countWords(d.Name.Name) == 1 && file.Name.Name != "main" {
				all.exported = append(all.exported, folder+"."+d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok {
					all.types = append(all.types, s.Name.Name)
				}
			}
		}
	}
}

// countWords counts the words of a name in mixed caps; an abbreviation in capitals is one.
func countWords(name string) int {
	n, runes := 0, []rune(name)
	for i, r := range runes {
		starts := i == 0 || unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if starts && r != '_' {
			n++
		}
	}
	return n
}

func TestWordsAreCounted(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"New": 1, "bookCall": 2, "HSTSMiddleware": 2, "parseURL": 2, "findCallByID": 4, "x": 1} {
		if got := countWords(name); got != want {
			t.Errorf("%s has %d words, not %d", name, got, want)
		}
	}
}
