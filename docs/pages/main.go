// Command pages writes the pages of docs as HTML into a folder, for the Javadoc of the API, which refers to them.
package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pages FOLDER")
		os.Exit(2)
	}
	if err := write("docs", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

// write writes each page, and copies the pictures that they show.
func write(from, to string) error {
	entries, err := os.ReadDir(from)
	if err == nil {
		err = os.MkdirAll(to, 0o755)
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		content, name := []byte(nil), e.Name()
		switch filepath.Ext(name) {
		case ".md", ".png", ".svg":
			content, err = os.ReadFile(filepath.Join(from, name))
		default:
			continue
		}
		if page, ok := strings.CutSuffix(name, ".md"); ok && err == nil {
			name = page + ".html"
			content, err = render(content, page)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), content, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const style = `body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font-family: sans-serif; line-height: 1.4 }
pre { background: #f4f4f4; padding: .6rem; overflow-x: auto } td, th { text-align: left; vertical-align: top; padding: .2rem .6rem }
img { max-width: 100% }`

// render gives a page of Markdown as HTML. Its headings have the anchors that links in Markdown name.
func render(markdown []byte, title string) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>harrier: %s</title><style>%s</style></head><body>\n",
		html.EscapeString(title), style)
	m := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID(),
		parser.WithASTTransformers(util.Prioritized(relinker{}, 0))))
	if err := m.Convert(markdown, &b); err != nil {
		return nil, err
	}
	b.WriteString("</body></html>\n")
	return b.Bytes(), nil
}

// relinker has links to pages lead to their HTML, and others out of docs to the repository from build/docs.
type relinker struct{}

func (relinker) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			link.Destination = []byte(relink(string(link.Destination)))
		}
		return ast.WalkContinue, nil
	})
}

func relink(to string) string {
	path, anchor, hasAnchor := strings.Cut(to, "#")
	if page, ok := strings.CutSuffix(path, ".md"); ok && !strings.Contains(path, "/") {
		path = page + ".html"
	} else if strings.HasPrefix(path, "../") {
		path = "../" + path
	}
	if hasAnchor {
		path += "#" + anchor
	}
	return path
}
