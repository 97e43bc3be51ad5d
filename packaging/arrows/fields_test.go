package arrows_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fieldUse finds field and method names that code or a template selects.
var fieldUse = regexp.MustCompile(`\.([A-Z]\w*)`)

// TestNoSettingIsForgotten checks that each setting (appliance/config) is used by some code: one that is only declared
// has no effect.
func TestNoSettingIsForgotten(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	isConfig := func(name string) bool { return name == "Config" }
	fields := declaredFields(t, filepath.Join(root, "appliance", "config"), isConfig)
	used := usedFields(t, root, []string{"appliance"})
	if len(fields) < 50 {
		t.Fatalf("appliance/config declares only %d fields", len(fields))
	}
	for _, field := range fields {
		if !used[field[strings.LastIndex(field, ".")+1:]] {
			t.Errorf("no code uses %s; apply it, or remove it", field)
		}
	}
}

// textDeclaration is the declaration of a text, in a file words*.go of ui.
var textDeclaration = regexp.MustCompile(`(?m)^var ([A-Za-z]\w*) = `)

// TestNoTextIsForgotten checks that each text of the console is used: as PACKAGE.Name, or by its name in its package. One
// that is only declared is a label that no page shows.
func TestNoTextIsForgotten(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(root, "ui", "*", "words*.go"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	selected := map[string]bool{}
	for _, source := range readSources(t, root, "appliance", "ui") {
		for _, found := range selection.FindAllStringSubmatch(source, -1) {
			selected[strings.TrimPrefix(found[0], "ui")] = true
		}
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		own, named := readSources(t, filepath.Dir(path), "."), map[string]int{}
		for _, source := range own {
			for _, found := range plainName.FindAllStringSubmatch(source, -1) {
				named[found[1]]++
			}
		}
		for _, found := range textDeclaration.FindAllStringSubmatch(own[path], -1) {
			text := found[1]
			if !selected[filepath.Base(filepath.Dir(path))+"."+text] && named[text] < 2 {
				t.Errorf("%s: no page shows %s; show it, or remove it", path, text)
			}
		}
	}
}

// selection is PACKAGE.Name in code, and plainName a name that no package or value stands before.
var (
	selection = regexp.MustCompile(`\b[a-z]\w*\.[A-Z]\w*`)
	plainName = regexp.MustCompile(`(?:^|[^\w."])([A-Za-z]\w*)`)
)

// comments are left out of what readSources returns.
var comments = regexp.MustCompile(`(?m)^\s*//.*$`)

// readSources returns the code and templates in folders by path, without tests, generated files and comments.
func readSources(t testing.TB, root string, folders ...string) map[string]string {
	t.Helper()
	sources := map[string]string{}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, e fs.DirEntry, err error) error {
			source := strings.HasSuffix(path, ".templ") || strings.HasSuffix(path, ".go") &&
				!strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, "_templ.go")
			if err != nil || e.IsDir() || !source {
				return err
			}
			text, err := os.ReadFile(path)
			sources[path] = comments.ReplaceAllString(string(text), "")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return sources
}

// usedFields returns the names that code and templates in the folders select.
func usedFields(t testing.TB, root string, folders []string) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	for _, source := range readSources(t, root, folders...) {
		for _, found := range fieldUse.FindAllStringSubmatch(source, -1) {
			used[found[1]] = true
		}
	}
	return used
}

// declaredFields returns the exported fields of a folder's chosen types, as TYPE.Field.
func declaredFields(t testing.TB, folder string, chosen func(typeName string) bool) (fields []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !chosen(spec.Name.Name) {
				return true
			}
			if body, ok := spec.Type.(*ast.StructType); ok {
				fields = append(fields, exportedFields(spec.Name.Name, body)...)
			}
			return false
		})
	}
	return fields
}

func exportedFields(typeName string, body *ast.StructType) (fields []string) {
	for _, list := range body.Fields.List {
		for _, name := range list.Names {
			if name.IsExported() {
				fields = append(fields, typeName+"."+name.Name)
			}
		}
	}
	return fields
}
