package config_test

import (
	"strings"
	"testing"

	"stoa/internal/config"
)

func TestCheckReportsEachFault(t *testing.T) {
	known := []string{"data", "--video-listen", "STOA_POLLS_POPULAR_MIN_VOTES"}
	tests := []struct {
		name    string
		file    string
		environ map[string]string
		want    []string
	}{
		{"nothing", "", nil, nil},
		{"all known", "data: x\nvideo_listen: y\npolls_popular_min_votes: 3",
			map[string]string{"STOA_DATA": "x", "STOA_VIDEO_LISTEN": "y", "STOA_POLLS_POPULAR_MIN_VOTES": "3"}, nil},
		{"not ours", "", map[string]string{"STOAX": "1", "PATH": "/bin", "XSTOA_Y": "1"}, nil},
		{"the file's name", "", map[string]string{"STOA_CONFIG": "stoa.yaml"}, nil},
		{"the tests'", "", map[string]string{"STOA_TEST_POSTGRES": "postgres://"}, nil},
		{"empty", "", map[string]string{"STOA_VIDOE_LISTEN": ""}, nil},
		{"service called stoa", "", map[string]string{
			"STOA_SERVICE_HOST": "10.0.0.1", "STOA_SERVICE_PORT": "80", "STOA_SERVICE_PORT_HTTP": "80",
			"STOA_PORT": "tcp://10.0.0.1:80", "STOA_PORT_80_TCP_ADDR": "10.0.0.1",
		}, nil},
		{"service called stoa-redis", "", map[string]string{
			"STOA_REDIS_SERVICE_HOST": "10.0.0.1", "STOA_REDIS_SERVICE_PORT": "80",
			"STOA_REDIS_PORT": "tcp://10.0.0.1:80", "STOA_REDIS_PORT_80_TCP": "tcp://10.0.0.1:80",
		}, nil},
		{"like a service, without a host", "", map[string]string{"STOA_REDIS_PORT": "1"}, []string{
			`unknown setting "STOA_REDIS_PORT"`,
		}},
		{"misspelled in the file", "data: x\n\nvidoe_listen: y", nil, []string{
			`stoa.yaml:3:1: unknown setting "vidoe_listen", did you mean "video_listen"?`,
		}},
		{"wrong spelling of the three", "video-listen: x", nil, []string{
			`stoa.yaml:1:1: unknown setting "video-listen", did you mean "video_listen"?`,
		}},
		{"misspelled in the environment", "", map[string]string{"STOA_VIDOE_LISTEN": "y"}, []string{
			`unknown setting "STOA_VIDOE_LISTEN", did you mean "STOA_VIDEO_LISTEN"?`,
		}},
		{"lower case in the environment", "", map[string]string{"STOA_data": "y"}, []string{
			`unknown setting "STOA_data", did you mean "STOA_DATA"?`,
		}},
		{"near to nothing", "colour: blue", map[string]string{"STOA_COLOUR": "blue"}, []string{
			`stoa.yaml:1:1: unknown setting "colour"`,
			`unknown setting "STOA_COLOUR"`,
		}},
		{"file by line, environment by name", "z: 1\ny: 1", map[string]string{"STOA_B_B_B": "1", "STOA_A_A_A": "1"}, []string{
			`stoa.yaml:1:1: unknown setting "z"`,
			`stoa.yaml:2:1: unknown setting "y"`,
			`unknown setting "STOA_A_A_A"`,
			`unknown setting "STOA_B_B_B"`,
		}},
		{"faults of the file and unknown names together", "data: x\ndata: y\nz: 1", map[string]string{"STOA_Z": "1"}, []string{
			`stoa.yaml:2:1: setting "data" was given before, in line 1`,
			`stoa.yaml:3:1: unknown setting "z"`,
			`unknown setting "STOA_Z"`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			write(t, tt.file)
			got := ""
			if err := config.Check(known, "", tt.environ); err != nil {
				got = err.Error()
			}
			if want := strings.Join(tt.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
