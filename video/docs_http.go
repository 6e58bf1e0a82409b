package video

import (
	_ "embed"

	"stoa/internal/reference"
	"stoa/internal/web"
)

//go:embed openapi.yaml
var openAPI []byte

// docRoutes is the description of the API, for anybody.
func (s *Service) docRoutes() web.Routes {
	service := reference.Service{Origin: s.Origin, Example: "https://video.example", Files: "/docs/openapi"}
	return reference.Routes(service, "/docs", "Stoa video: the API", openAPI)
}
