package render_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stoa/inventory"
	"stoa/inventory/render"
)

// kubeadmVersion is the one that `make deps` builds, and that must be there.
const kubeadmVersion = "v1.34.2"

// kubeadm runs the real program. Versions other than kubeadmVersion are asked when
// somebody has built them: each takes minutes.
type kubeadm struct{ program string }

func newKubeadm(t *testing.T, version string) kubeadm {
	t.Helper()
	cache, err := os.UserCacheDir()
	program := filepath.Join(cache, "stoa", "kubeadm-"+version)
	if err == nil {
		_, err = os.Stat(program)
	}
	if err != nil && version == kubeadmVersion {
		t.Fatalf("kubeadm %s is not there: run make deps", version)
	}
	if err != nil {
		t.Logf("NOT RUN: kubeadm %s has not seen these files; scripts/kubeadm.sh %s builds it", version, version)
		t.SkipNow()
	}
	return kubeadm{program}
}

func (k kubeadm) run(t *testing.T, environ []string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), k.program, args...)
	cmd.Env = append(os.Environ(), environ...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("kubeadm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func TestKubeadmTakesIts(t *testing.T) {
	t.Parallel()
	program := newKubeadm(t, kubeadmVersion)
	for _, ending := range []string{"/init-config.yaml", "/join-config.yaml"} {
		eachFile(t, ending, func(t *testing.T, dir string, f render.File) {
			program.run(t, nil, "config", "validate", "--config", filepath.Join(dir, f.Name()))
		})
	}
}

// Each version that can be installed has its own kubeadm with its own opinion.
func TestKubeadmOfEachVersionTakesIts(t *testing.T) {
	t.Parallel()
	for _, version := range inventory.Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			program := newKubeadm(t, version)
			files, _, err := render.Render(resolve(t, node("n1", "services: {kubeadm: {kubernetesVersion: "+version+"}}")), render.Options{})
			if err != nil {
				t.Fatal(err)
			}
			config := filepath.Join(t.TempDir(), "init.yaml")
			if err := os.WriteFile(config, one(t, files, "n1/etc/kubernetes/init-config.yaml").Content, 0o600); err != nil {
				t.Fatal(err)
			}
			program.run(t, nil, "config", "validate", "--config", config)
		})
	}
}

// A dry run of the phases that apply patches leaves what kubeadm would write.
func TestKubeadmAppliesPatches(t *testing.T) {
	t.Parallel()
	program := newKubeadm(t, kubeadmVersion)
	for _, test := range []struct {
		document, node string
		phase          []string
		wrote          string
		want           []string
	}{
		{"single", "all-in-one", []string{"control-plane", "all"}, "kube-apiserver.yaml", []string{"- --bind-address=192.168.0.10"}},
		{"ha", "control-plane-1", []string{"control-plane", "all"}, "kube-apiserver.yaml", []string{"- --bind-address=192.168.10.11", "- --max-requests-inflight=500"}},
		{"gateways", "cp-1", []string{"control-plane", "all"}, "kube-apiserver.yaml", []string{"- --bind-address=fd00:10::1"}},
		{"rich", "cp-1", []string{"control-plane", "all"}, "kube-controller-manager.yaml", []string{"- --v=4"}},
		{"rich", "cp-1", []string{"etcd", "local"}, "etcd.yaml", []string{"- --quota-backend-bytes=8589934592"}},
		{"rich", "wk-1", []string{"kubelet-start"}, "config.yaml", []string{"maxPods: 150", "podPidsLimit: 2048"}},
	} {
		t.Run(test.document+"/"+strings.Join(test.phase, " "), func(t *testing.T) {
			t.Parallel()
			inv, dir, files := rendered(t, test.document)
			first := inv.Group("control-plane")[0].Name
			const patches = "/etc/kubernetes/patches"
			text := strings.ReplaceAll(string(one(t, files, first+"/etc/kubernetes/init-config.yaml").Content), patches, filepath.Join(dir, test.node, patches))
			out := t.TempDir()
			config := filepath.Join(out, "config-in.yaml")
			if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			program.run(t, []string{"KUBEADM_INIT_DRYRUN_DIR=" + out}, append(append([]string{"init", "phase"}, test.phase...), "--config", config, "--dry-run")...)
			got, err := os.ReadFile(filepath.Join(out, test.wrote))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range test.want {
				if !strings.Contains(string(got), want) {
					t.Errorf("%s does not have %q:\n%s", test.wrote, want, got)
				}
			}
		})
	}
}
