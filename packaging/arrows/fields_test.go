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

// TestNoWordIsForgotten checks that each word of the interface (ui/locale) and each setting (appliance/config) is used
// by some code: one that is only declared is a label that no page shows, or a setting without effect.
func TestNoWordIsForgotten(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	for _, of := range []struct {
		folder string
		chosen func(typeName string) bool
		users  []string // folders whose code may use the fields
	}{
		{
			"ui/locale", func(name string) bool { return strings.HasSuffix(name, "Words") },
			[]string{"appliance/console", "appliance/demo", "appliance/alerting", "ui"},
		},
		{"appliance/config", func(name string) bool { return name == "Config" }, []string{"appliance"}},
	} {
		fields, used := declaredFields(t, filepath.Join(root, of.folder), of.chosen), usedFields(t, root, of.users)
		if len(fields) < 50 {
			t.Fatalf("%s declares only %d fields", of.folder, len(fields))
		}
		for _, field := range fields {
			if !used[field[strings.LastIndex(field, ".")+1:]] {
				t.Errorf("%s: no code uses %s; show or apply it, or remove it", of.folder, field)
			}
		}
	}
}

// usedFields returns the names that code and templates in the folders select.
func usedFields(t testing.TB, root string, folders []string) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, e fs.DirEntry, err error) error {
			source := strings.HasSuffix(path, ".templ") || strings.HasSuffix(path, ".go") &&
				!strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, "_templ.go")
			if err != nil || e.IsDir() || !source {
				return err
			}
			text, err := os.ReadFile(path)
			for _, found := range fieldUse.FindAllSubmatch(text, -1) {
				used[string(found[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
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
