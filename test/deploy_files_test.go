package test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	ratelimitv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ratelimit/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/upstreams/http/v3"
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/encoding/protojson"

	"stoa/app"
	"stoa/ratelimit"
)

// drain is how long the service lets calls in flight finish; whoever ends it must
// wait longer.
const drain = 25 * time.Second

func TestDeployedYAMLParses(t *testing.T) {
	for _, file := range treeFiles(t, "deploy", ".yaml", ".yml") {
		if len(yamlDocuments(t, file)) == 0 {
			t.Errorf("%s is empty", file)
		}
	}
}

func TestExampleRulesLoad(t *testing.T) {
	for _, file := range treeFiles(t, "deploy/examples", ".yaml", ".yml") {
		loadRules(t, file, readFile(t, file))
	}
}

// TestSettingsFileIsComplete gives deploy/stoa.yaml to the real command.
func TestSettingsFileIsComplete(t *testing.T) {
	stoa := buildStoa(t)
	run := func(args ...string) (string, int) {
		cmd := exec.CommandContext(t.Context(), stoa, args...)
		cmd.Dir = t.TempDir()
		cmd.Env = []string{"PORT=0", "GRPC_PORT=0", "DEBUG_PORT=0", "DISABLE_STATS=true", "STOA_LISTEN=127.0.0.1:0", "STOA_SECOND_LISTEN=127.0.0.1:0",
			"STOA_VIDEO_LISTEN=127.0.0.1:0", "STOA_SECOND_VIDEO_LISTEN=127.0.0.1:0",
			"STOA_RTMP_LISTEN=127.0.0.1:0", "STOA_RTMPS_LISTEN=off", "STOA_SRT_LISTEN=127.0.0.1:0", "STOA_WHIP_LISTEN=127.0.0.1:0", "PATH=" + os.Getenv("PATH")} // ffmpeg is there
		out, err := cmd.CombinedOutput()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return string(out), exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		return string(out), 0
	}
	file, err := filepath.Abs(filepath.Join(root, "deploy/stoa.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if out, status := run("doctor", "--config", file); status != 0 {
		t.Errorf("doctor: got status %d, want 0:\n%s", status, out)
	}
	settings := yamlDocuments(t, "deploy/stoa.yaml")[0]
	help, _ := run("serve", "--help")
	for _, m := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(help, -1) {
		name := strings.ReplaceAll(m[1], "-", "_")
		if _, listed := settings[name]; !listed && name != "help" && name != "config" {
			t.Errorf("deploy/stoa.yaml does not list %s", name)
		}
	}
	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	writeFile(t, wrong, "date: ./x\n")
	if out, status := run("doctor", "--config", wrong); status != 2 || !strings.Contains(out, `did you mean "data"`) {
		t.Errorf("an unknown setting: got status %d and %s", status, out)
	}
}

// TestEnvoyExample reads the example as Envoy would.
func TestEnvoyExample(t *testing.T) {
	text, err := json.Marshal(yamlDocuments(t, "deploy/envoy/envoy.yaml")[0])
	if err != nil {
		t.Fatal(err)
	}
	config := new(bootstrapv3.Bootstrap)
	if err := protojson.Unmarshal(text, config); err != nil {
		t.Fatal(err)
	}
	if err := config.ValidateAll(); err != nil {
		t.Error(err)
	}
	clusters := map[string]bool{}
	for _, c := range config.GetStaticResources().GetClusters() {
		clusters[c.GetName()] = true
	}
	manager, filter := new(hcmv3.HttpConnectionManager), new(ratelimitv3.RateLimit)
	if err := config.GetStaticResources().GetListeners()[0].GetFilterChains()[0].GetFilters()[0].GetTypedConfig().UnmarshalTo(manager); err != nil {
		t.Fatal(err)
	}
	if err := manager.GetHttpFilters()[0].GetTypedConfig().UnmarshalTo(filter); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(manager.ValidateAll(), filter.ValidateAll()); err != nil {
		t.Error(err)
	}
	if name := filter.GetRateLimitService().GetGrpcService().GetEnvoyGrpc().GetClusterName(); !clusters[name] {
		t.Errorf("no cluster %q", name)
	}
	rules := loadRules(t, "shop.yaml", readFile(t, "deploy/examples/shop.yaml"))
	if !rules.Knows(filter.GetDomain()) {
		t.Errorf("the example rules have no domain %q", filter.GetDomain())
	}
}

func TestComposeExample(t *testing.T) {
	const file = "deploy/compose/compose.yaml"
	compose := decode[struct {
		Services map[string]struct {
			Environment     map[string]string
			Volumes         []string
			StopGracePeriod time.Duration `yaml:"stop_grace_period"`
		}
	}](t, yamlDocuments(t, file)[0])
	for name, service := range compose.Services {
		for _, volume := range service.Volumes {
			from, _, _ := strings.Cut(volume, ":")
			if _, err := os.Stat(filepath.Join(root, path.Dir(file), from)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	stoa := compose.Services["stoa"]
	checkEnvironment(t, file, stoa.Environment)
	if stoa.StopGracePeriod <= drain {
		t.Errorf("stop_grace_period is %v, want more than %v", stoa.StopGracePeriod, drain)
	}
}

func TestSystemdExample(t *testing.T) {
	const file = "deploy/systemd/stoa-ratelimit.service"
	environ, stop := map[string]string{}, time.Duration(0)
	for line := range strings.Lines(string(readFile(t, file))) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch key {
		case "Environment":
			name, value, _ := strings.Cut(value, "=")
			environ[name] = value
		case "TimeoutStopSec":
			stop, _ = time.ParseDuration(value + "s")
		}
	}
	checkEnvironment(t, file, environ)
	if stop <= drain {
		t.Errorf("TimeoutStopSec is %v, want more than %v", stop, drain)
	}
}

func TestDockerfileBuildsWithOurGo(t *testing.T) {
	text := string(readFile(t, "deploy/docker/Dockerfile"))
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(readFile(t, "go.mod")))[1]
	for _, want := range []string{"FROM golang:" + version + " ", "CGO_ENABLED=0", "FROM scratch", "USER 65532"} {
		if !strings.Contains(text, want) {
			t.Errorf("the Dockerfile lacks %q", want)
		}
	}
}

// checkEnvironment asks whether the service knows the variables of a deployed file
// and starts with them.
func checkEnvironment(t *testing.T, where string, environ map[string]string) {
	t.Helper()
	known := knownVariables()
	for name := range environ {
		if !slices.Contains(known, name) && !strings.HasPrefix(name, "GO") { // which are the Go runtime's
			t.Errorf("%s: there is no variable %s", where, name)
		}
	}
	if _, err := app.ReadConfig(app.Settings{}, environ); err != nil || len(environ) == 0 {
		t.Errorf("%s: %d variables: %v", where, len(environ), err)
	}
}

func loadRules(t *testing.T, name string, text []byte) *ratelimit.Rules {
	t.Helper()
	spec, err := ratelimit.ParseYAML(name, text)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func buildStoa(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stoa")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, "stoa/cmd/stoa").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// yamlDocuments reads a file of the tree.
func yamlDocuments(t *testing.T, file string) []map[string]any {
	t.Helper()
	var all []map[string]any
	decoder := yaml.NewDecoder(strings.NewReader(string(readFile(t, file))))
	for {
		var doc map[string]any
		if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, doc)
	}
}

// decode gives a part of a YAML document its type.
func decode[T any](t *testing.T, from any) T {
	t.Helper()
	var to T
	text, err := yaml.Marshal(from)
	if err == nil {
		err = yaml.Unmarshal(text, &to)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// treeFiles lists the files below a folder with one of the endings; what npm and
// the tests themselves write is left out.
func treeFiles(t *testing.T, folder string, endings ...string) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(filepath.Join(root, folder)), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata" || name != "." && entry.Name()[0] == '.') {
			return fs.SkipDir
		}
		if slices.Contains(endings, path.Ext(name)) {
			files = append(files, path.Join(folder, name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no files %v below %s", endings, folder)
	}
	return files
}
