package app

import (
	"net/http"
	"strings"

	"stoa/console"
	"stoa/internal/stats"
	"stoa/polls"
	"stoa/ratelimit/rls"
	"stoa/video"
)

// Route is something that a port answers.
type Route struct {
	Port string `json:"port"`
	Path string `json:"path"` // with its method, where that matters
	Help string `json:"help,omitzero"`
}

// Routes is everything that every port answers.
func Routes() []Route {
	service := rls.New(rls.Options{Health: rls.NewHealth(), Stats: stats.NewRegistry()})
	var routes []Route
	for _, r := range service.HTTPRoutes() {
		routes = append(routes, Route{"ratelimit http", r.Path, r.Help})
	}
	for _, method := range service.GRPCMethods() {
		routes = append(routes, Route{"ratelimit grpc", method, "gRPC"})
	}
	debug := debugPort{metrics: http.NotFoundHandler(), shown: stats.NewRegistry(), added: service.DebugRoutes()}
	for _, r := range debug.routes() {
		routes = append(routes, Route{"debug", strings.TrimSuffix(r.Path, "{$}"), r.Help})
	}
	for _, pattern := range polls.Patterns() {
		routes = append(routes, Route{"web", strings.TrimSuffix(pattern, "{$}"), ""})
	}
	for _, pattern := range console.Patterns() {
		routes = append(routes, Route{"web", pattern, ""})
	}
	for _, pattern := range video.Patterns() {
		routes = append(routes, Route{"video", strings.TrimSuffix(pattern, "{$}"), ""})
	}
	return routes
}
