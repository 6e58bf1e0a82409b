package test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/app"
)

const kubernetesFile = "deploy/kubernetes/ratelimit.yaml"

type kubernetesObject struct {
	Kind     string
	Metadata struct {
		Name   string
		Labels map[string]string
	}
	Data map[string]string
	Spec struct {
		Selector any
		Template struct {
			Metadata struct{ Labels map[string]string }
			Spec     kubernetesPod
		}
		Ports []struct {
			TargetPort string `yaml:"targetPort"`
		}
	}
}

type kubernetesPod struct {
	TerminationGracePeriodSeconds int `yaml:"terminationGracePeriodSeconds"`
	Containers                    []struct {
		Env             []struct{ Name, Value string }
		Ports           []struct{ Name string }
		ReadinessProbe  kubernetesProbe `yaml:"readinessProbe"`
		LivenessProbe   kubernetesProbe `yaml:"livenessProbe"`
		SecurityContext struct {
			ReadOnlyRootFilesystem bool `yaml:"readOnlyRootFilesystem"`
		} `yaml:"securityContext"`
	}
	Volumes []struct {
		ConfigMap struct{ Name string } `yaml:"configMap"`
	}
}

type kubernetesProbe struct {
	HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
}

func TestKubernetesExample(t *testing.T) {
	objects := map[string]kubernetesObject{}
	for _, doc := range yamlDocuments(t, kubernetesFile) {
		o := decode[kubernetesObject](t, doc)
		objects[o.Kind] = o
	}
	deployment, rules := objects["Deployment"], objects["ConfigMap"]
	pod := deployment.Spec.Template.Spec
	container := pod.Containers[0]

	for name, text := range rules.Data {
		loadRules(t, name, []byte(text))
	}
	if got := pod.Volumes[0].ConfigMap.Name; got != rules.Metadata.Name || len(rules.Data) == 0 {
		t.Errorf("the pods mount %q, want the rules %q", got, rules.Metadata.Name)
	}
	environ := map[string]string{}
	for _, v := range container.Env {
		environ[v.Name] = v.Value
	}
	checkEnvironment(t, kubernetesFile, environ)
	if grace := time.Duration(pod.TerminationGracePeriodSeconds) * time.Second; grace < drain+5*time.Second {
		t.Errorf("terminationGracePeriodSeconds is %v, want at least %v", grace, drain+5*time.Second)
	}
	if !container.SecurityContext.ReadOnlyRootFilesystem {
		t.Error("want a read-only file system: the service writes nothing")
	}
	ports := map[string]bool{}
	for _, p := range container.Ports {
		ports[p.Name] = true
	}
	for _, p := range objects["Service"].Spec.Ports {
		if !ports[p.TargetPort] {
			t.Errorf("the service leads to port %s, which no container has", p.TargetPort)
		}
	}
	checkProbe(t, container.ReadinessProbe)
	checkProbe(t, container.LivenessProbe)
	for _, kind := range []string{"Deployment", "Service", "PodDisruptionBudget"} {
		if got := selected(t, objects[kind]); !maps.Equal(got, deployment.Spec.Template.Metadata.Labels) || len(got) == 0 {
			t.Errorf("%s selects %v, want the pods %v", kind, got, deployment.Spec.Template.Metadata.Labels)
		}
	}
}

// selected is the labels that an object looks for; a Service has them without a
// level between.
func selected(t *testing.T, o kubernetesObject) map[string]string {
	t.Helper()
	if o.Kind == "Service" {
		return decode[map[string]string](t, o.Spec.Selector)
	}
	return decode[struct {
		MatchLabels map[string]string `yaml:"matchLabels"`
	}](t, o.Spec.Selector).MatchLabels
}

func checkProbe(t *testing.T, p kubernetesProbe) {
	t.Helper()
	served := slices.ContainsFunc(app.Routes(), func(r app.Route) bool {
		return strings.TrimPrefix(r.Port, "ratelimit ") == p.HTTPGet.Port && r.Path == p.HTTPGet.Path
	})
	if !served {
		t.Errorf("a probe asks for %s on port %s, which is not served", p.HTTPGet.Path, p.HTTPGet.Port)
	}
}
