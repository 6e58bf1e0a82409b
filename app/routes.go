package app

import (
	"net/http"
	"strings"

	"stoa/internal/stats"
	"stoa/ratelimit/rls"
)

// Route is something that a port answers.
type Route struct {
	Port string `json:"port"`
	Path string `json:"path"`
	Help string `json:"help"`
}

// Routes is everything that every port answers.
func Routes() []Route {
	service := rls.New(rls.Options{Health: rls.NewHealth(), Stats: stats.NewRegistry(), Shown: stats.NewRegistry()})
	var routes []Route
	for _, r := range service.HTTPRoutes() {
		routes = append(routes, Route{"ratelimit http", r.Path, r.Help})
	}
	for _, method := range service.GRPCMethods() {
		routes = append(routes, Route{"ratelimit grpc", method, "gRPC"})
	}
	for _, r := range service.DebugRoutes(http.NotFoundHandler()) {
		routes = append(routes, Route{"ratelimit debug", strings.TrimSuffix(r.Path, "{$}"), r.Help})
	}
	return routes
}
