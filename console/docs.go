package console

import (
	_ "embed"

	"stoa/internal/reference"
	"stoa/internal/web"
)

//go:embed openapi.yaml
var openAPI []byte

// docRoutes is the description of the API, for anybody.
func (c *Console) docRoutes() web.Routes {
	service := reference.Service{Origin: c.Origin, Example: "https://polls.example", Files: base + "/openapi"}
	return reference.Routes(service, DocsPath, "Stoa: the operator API", openAPI)
}
