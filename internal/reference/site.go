package reference

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"time"
)

var (
	//go:embed site.html
	siteText string
	//go:embed site.css
	siteStyle string

	siteTemplate = template.Must(template.New("site").Parse(siteText))
	styleHash    = sha256.Sum256([]byte(siteStyle))
)

// sitePolicy lets a page have the one style that is in it.
var sitePolicy = "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(styleHash[:]) +
	"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeSite answers with the page as a site of its own, for services that have no
// pages to put it in.
func (d *Document) ServeSite(w http.ResponseWriter, r *http.Request, title string) error {
	var b bytes.Buffer
	err := siteTemplate.Execute(&b, struct {
		Title string
		Style template.CSS
		Page  template.HTML
	}{title, template.CSS(siteStyle), d.Page})
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", sitePolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.Bytes()))
	return nil
}

// ServeFile answers with a form of the document, "yaml" or "json", to tools on any
// site.
func (d *Document) ServeFile(w http.ResponseWriter, r *http.Request, form string) error {
	content := d.YAML
	if form == "json" {
		content = d.JSON
	}
	h := w.Header()
	h.Set("Content-Type", "application/"+form+"; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("Access-Control-Allow-Origin", "*")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	return nil
}
