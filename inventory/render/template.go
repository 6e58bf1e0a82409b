package render

import (
	"bytes"
	"embed"
	"text/template"
)

//go:embed templates
var templateFiles embed.FS

var templates = template.Must(template.ParseFS(templateFiles, "templates/*"))

// fill is a template with values in it.
func fill(name string, values any) ([]byte, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, values); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
