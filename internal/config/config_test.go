package config_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"stoa/internal/config"
)

type even int

func (e even) Validate() error {
	if e%2 != 0 {
		return errors.New("want an even number")
	}
	return nil
}

type video struct {
	Listen string `default:":8001"`
}

type serve struct {
	Data    string   `default:"./stoa-data"`
	Video   video    `embed:"" prefix:"video-"`
	Limits  string   `enum:"on,off" default:"on"`
	Modes   []string `enum:"a,b" default:"a"`
	Workers int      `default:"4"`
	Pairs   even
	Wait    time.Duration
	Quiet   bool
	Allow   []string
	Secret  int
}

type cli struct {
	Config string
	Level  int   `setting:"no"`
	Serve  serve `cmd:""`
}

// run parses a command line as the program does: the file first, then flags.
func run(environ map[string]string, args ...string) (serve, error) {
	var c cli
	k, err := kong.New(&c, kong.Writers(io.Discard, io.Discard), kong.Bind(environ))
	if err != nil {
		return serve{}, err
	}
	_, err = k.Parse(append([]string{"serve"}, args...))
	return c.Serve, err
}

func (*cli) BeforeResolve(ctx *kong.Context, environ map[string]string) error {
	settings, err := config.Resolver(config.Named(ctx), environ)
	if err != nil {
		return err
	}
	ctx.AddResolver(settings)
	return nil
}

// write makes a stoa.yaml in a new working folder.
func write(t *testing.T, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("stoa.yaml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestEachSourceWinsOverTheNext(t *testing.T) {
	tests := []struct {
		name    string
		file    string
		environ map[string]string
		args    []string
		want    string
	}{
		{"default", "", nil, nil, ":8001"},
		{"file", "video_listen: :1", nil, nil, ":1"},
		{"environment over file", "video_listen: :1", map[string]string{"STOA_VIDEO_LISTEN": ":2"}, nil, ":2"},
		{"empty environment is not set", "video_listen: :1", map[string]string{"STOA_VIDEO_LISTEN": ""}, nil, ":1"},
		{"flag over both", "video_listen: :1", map[string]string{"STOA_VIDEO_LISTEN": ":2"}, []string{"--video-listen=:3"}, ":3"},
		{"flag over a malformed value", "", map[string]string{"STOA_WORKERS": "x"}, []string{"--workers=1"}, ":8001"},
		{"empty in the file", "video_listen: ''", nil, nil, ":8001"},
		{"nothing in the file", "video_listen:", nil, nil, ":8001"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			write(t, tt.file)
			got, err := run(tt.environ, tt.args...)
			if err != nil || got.Video.Listen != tt.want {
				t.Errorf("got %q, error %v, want %q", got.Video.Listen, err, tt.want)
			}
		})
	}
}

func TestValuesOfEachKind(t *testing.T) {
	write(t, `
# a comment
data: /var/lib/stoa
limits: off      # a bool for YAML 1.1
modes: [a, b]
workers: 0x10
pairs: &n 8
wait: 90s
quiet: true
allow:
  - 10.0.0.0/8
  - fd00::/8
  - *n
secret: 0640
`)
	got, err := run(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := serve{
		Data: "/var/lib/stoa", Video: video{":8001"}, Limits: "off", Modes: []string{"a", "b"}, Workers: 16, Pairs: 8,
		Wait: 90 * time.Second, Quiet: true, Allow: []string{"10.0.0.0/8", "fd00::/8", "8"}, Secret: 0o640,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want(-) got(+):\n%s", diff)
	}
}

func TestMalformedValueNamesItsSource(t *testing.T) {
	tests := []struct {
		name    string
		file    string
		environ map[string]string
		want    string
	}{
		{"number in the environment", "", map[string]string{"STOA_WORKERS": "many"},
			`--workers: STOA_WORKERS="many": expected a valid 64 bit int but got "many"`},
		{"number in the file", "data: x\nworkers: many", nil,
			`--workers: stoa.yaml:2:1: workers="many": expected a valid 64 bit int but got "many"`},
		{"bool", "quiet: maybe", nil,
			`--quiet: stoa.yaml:1:1: quiet="maybe": bool value must be true, 1, yes, false, 0 or no but got "maybe"`},
		{"choice", "", map[string]string{"STOA_LIMITS": "none"}, `--limits: STOA_LIMITS="none": want one of on, off`},
		{"choice in a list", "modes: [a, c]", nil, `--modes: stoa.yaml:1:1: modes="a,c": want one of a, b`},
		{"type with rules of its own", "", map[string]string{"STOA_PAIRS": "3"}, `--pairs: STOA_PAIRS="3": want an even number`},
		{"secret in the environment", "", map[string]string{"STOA_SECRET": "hunter2"}, `--secret: STOA_SECRET: malformed value (not shown)`},
		{"secret in the file", "secret: hunter2", nil, `--secret: stoa.yaml:1:1: secret: malformed value (not shown)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			write(t, tt.file)
			_, err := run(tt.environ)
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %v", err, tt.want)
			}
		})
	}
}

func TestWhichFileIsRead(t *testing.T) {
	write(t, "data: default")
	for _, name := range []string{"flag", "variable"} {
		if err := os.WriteFile(name+".yaml", []byte("data: "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name    string
		environ map[string]string
		args    []string
		want    string
	}{
		{"default", nil, nil, "default"},
		{"variable", map[string]string{"STOA_CONFIG": "variable.yaml"}, nil, "variable"},
		{"flag over variable", map[string]string{"STOA_CONFIG": "variable.yaml"}, []string{"--config=flag.yaml"}, "flag"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := run(tt.environ, tt.args...)
			if err != nil || got.Data != tt.want {
				t.Errorf("got %q, error %v, want %q", got.Data, err, tt.want)
			}
		})
	}
}

func TestFlagsThatAreNoSettings(t *testing.T) {
	write(t, "help: true\nconfig: x\nlevel: y")
	settings, err := config.Resolver("", map[string]string{"STOA_HELP": "true", "STOA_CONFIG": "stoa.yaml", "STOA_LEVEL": "z"})
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range kong.Must(&cli{}).Model.Flags {
		if got, err := settings.Resolve(nil, nil, flag); got != nil || err != nil {
			t.Errorf("--%s: got %v, error %v, want nothing", flag.Name, got, err)
		}
	}
}

func TestMissingFileIsAFaultOnlyWhenNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := run(nil); err != nil {
		t.Errorf("default: got %v", err)
	}
	missing := filepath.Join("etc", "stoa.yaml")
	for name, parse := range map[string]func() (serve, error){
		"flag":     func() (serve, error) { return run(nil, "--config="+missing) },
		"variable": func() (serve, error) { return run(map[string]string{"STOA_CONFIG": missing}) },
	} {
		if _, err := parse(); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), missing) {
			t.Errorf("%s: got %v, want that %s does not exist", name, err, missing)
		}
	}
}
