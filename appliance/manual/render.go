package manual

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// renderMarkdown fills in title, HTML and sections. files are the pages that links may lead to.
func (p *Page) renderMarkdown(source []byte, files fs.FS) error {
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	)
	markdown.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(tableRenderer{}, 100)))
	ids := parser.NewContext(parser.WithIDs(headingIDs{}))
	document := markdown.Parser().Parse(text.NewReader(source), parser.WithContext(ids))
	if err := p.adaptNodes(document, files); err != nil {
		return err
	}
	p.Sections = splitSections(document, source)
	if len(p.Sections) == 0 || p.Sections[0].Level != 1 {
		return fmt.Errorf("must begin with a title (# …)")
	}
	p.Title = p.Sections[0].Heading
	var out bytes.Buffer
	err := markdown.Renderer().Render(&out, source, document)
	p.HTML = out.String()
	return err
}

// adaptNodes directs links to the console's pages, and removes what it does not have: raw HTML, pictures, and links to
// other files, whose text remains.
func (p *Page) adaptNodes(document ast.Node, files fs.FS) error {
	var removed, unlinked []ast.Node
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock, *ast.RawHTML, *ast.Image:
			removed = append(removed, n)
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			to, known := p.resolveLink(string(n.Destination), files)
			if n.Destination = []byte(to); !known {
				unlinked = append(unlinked, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, n := range unlinked {
		for child := n.FirstChild(); child != nil; child = n.FirstChild() {
			n.Parent().InsertBefore(n.Parent(), n, child)
		}
	}
	for _, n := range append(removed, unlinked...) {
		n.Parent().RemoveChild(n.Parent(), n)
	}
	return err
}

// resolveLink returns the target of a link in the console; false if it leads to a file that the console does not have.
func (p *Page) resolveLink(to string, files fs.FS) (string, bool) {
	target, err := url.Parse(to)
	switch {
	case err != nil:
		return "", false
	case target.Scheme == "http", target.Scheme == "https", target.Scheme == "" && target.Path == "":
		return to, true
	case target.Scheme != "" || target.Host != "":
		return "", false
	}
	file := path.Join(folderOf(p.Language), target.Path)
	if _, err := fs.Stat(files, file); err != nil || path.Ext(file) != ".md" {
		return "", false
	}
	other := Page{Language: english, Name: strings.TrimSuffix(path.Base(file), ".md")}
	if path.Dir(file) == arabic {
		other.Language = arabic
	}
	if target.Fragment != "" {
		return other.Path() + "#" + target.Fragment, true
	}
	return other.Path(), true
}

// splitSections splits a page at its headings.
func splitSections(document ast.Node, source []byte) (sections []PageSection) {
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		if heading, is := n.(*ast.Heading); is {
			id, _ := heading.AttributeString("id")
			anchor, _ := id.([]byte)
			sections = append(sections, PageSection{
				Anchor: string(anchor), Level: heading.Level, Heading: strings.TrimSpace(plainText(heading, source)),
			})
		} else if last := len(sections) - 1; last >= 0 {
			sections[last].text += plainText(n, source)
		}
	}
	for i := range sections {
		sections[i].folded = foldText(sections[i].Heading + " " + sections[i].text)
	}
	return sections
}

// plainText returns the text of a node, words separated by spaces.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails: the walker does not
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				b.Write(n.Lines().Value(source))
			}
		}
		if !entering && (n.Type() == ast.TypeBlock || n.Kind() == tables.KindTableCell) {
			b.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// headingIDs makes the anchors of headings as GitHub does: letters, digits, _ and -, in lower case. A repeated one gets
// a number.
type headingIDs map[string]int

// Generate returns the anchor of a heading.
func (ids headingIDs) Generate(heading []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(string(heading)) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_', r == '-':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	id := b.String()
	ids[id]++
	if n := ids[id]; n > 1 {
		id += "-" + strconv.Itoa(n-1)
	}
	return []byte(id)
}

// Put notes an anchor that a heading sets itself.
func (ids headingIDs) Put(id []byte) { ids[string(id)]++ }

// tableRenderer puts a table into an element that scrolls, also with the keyboard.
type tableRenderer struct{}

// RegisterFuncs registers the element around tables.
func (tableRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(tables.KindTable, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		markup := "<div class=\"help-table\" tabindex=\"0\"><table>\n"
		if !entering {
			markup = "</table></div>\n"
		}
		_, err := w.WriteString(markup)
		return ast.WalkContinue, err
	})
}
