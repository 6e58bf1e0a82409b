package embed

import (
	"crypto/rand"
	_ "embed"
	"html/template"
	"net/http"
)

// Problem is the page in place of a poll that cannot be shown.
type Problem struct {
	Environment, Lang, Theme string // as in Page
	Message                  string
}

var (
	//go:embed document/problem.html
	problemHTML     string
	problemTemplate = template.Must(template.New("problem").Parse(problemHTML))
)

// RenderProblem writes the whole answer, as Render does.
func RenderProblem(w http.ResponseWriter, status int, p Problem) error {
	nonce := rand.Text()
	return write(w, status, policy(nonce, ""), problemTemplate, struct {
		frame
		Message string
	}{newFrame(p.Lang, p.Theme, p.Environment, nonce), p.Message})
}
