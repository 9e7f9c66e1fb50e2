package report

import (
	"bytes"
	"embed"
	"html/template"
)

//go:embed page.html page.css
var assets embed.FS

// render fills the template. The style sheet is ours, so it goes into the page as it is.
func render(p page) ([]byte, error) {
	style, err := assets.ReadFile("page.css")
	if err != nil {
		return nil, err
	}
	page, err := template.New("page.html").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(style) },
	}).ParseFS(assets, "page.html")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = page.Execute(&out, p)
	return out.Bytes(), err
}
