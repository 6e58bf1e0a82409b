package inventory

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed defaults.yaml
var defaultsText []byte

var constantDefaults = sync.OnceValue(func() *Value {
	doc, faults := Load("defaults.yaml", defaultsText)
	if len(faults) > 0 {
		panic("inventory: defaults.yaml: " + faults[0].Message)
	}
	forget(doc.Root)
	return byDefault(doc.Root)
})

// forget takes places away: those of the defaults mean nothing in a document.
func forget(v *Value) {
	v.At = Place{}
	for _, item := range v.Items {
		forget(item)
	}
	for i := range v.Members {
		v.Members[i].At = Place{}
		forget(v.Members[i].Value)
	}
}

// defaults is everything that a document leaves out, for these nodes.
func (r *resolver) defaults() *Value {
	d := constantDefaults().clone()
	services := d.Get("services")
	r.kubeadmDefaults(services)
	r.kernelDefaults(services)
	r.hostDefaults(services)
	r.balancerDefaults(services)
	thirdpartyDefaults(services.Get("thirdparties"), r.raw.Get("registry"))
	r.pluginDefaults(d.Get("plugins"))
	if r.raw.Get("registry") != nil {
		registryDefaults(d)
	}
	d.Set("public_cluster_ip", laterText("control_plain.external", "", []string{"control_plain", "external"}, ""))
	return d
}

var (
	imageRepository = []string{"services", "kubeadm", "imageRepository"}
	kubernetes      = []string{"services", "kubeadm", "kubernetesVersion"}
	clusterName     = []string{"cluster_name"}
)

// byRelease is a text that goes with the Kubernetes version.
func byRelease(rule string, of func(release) string) *Value {
	return later(rule, func(e *renderer) (*Value, error) {
		version, err := e.text(kubernetes...)
		return NewString(of(releaseOf(version))), err
	})
}

func (r *resolver) kubeadmDefaults(services *Value) {
	kubeadm := services.Get("kubeadm")
	kubeadm.Set("controlPlaneEndpoint", laterText("cluster_name and port 6443", "", clusterName, ":6443"))
	kubeadm.Get("dns").Set("imageRepository", laterText("imageRepository and /coredns", "", imageRepository, "/coredns"))
	networking, pods, services4 := kubeadm.Get("networking"), "10.128.0.0/14", "172.30.0.0/16"
	if r.v6 {
		pods, services4 = "fd02::/48", "fd03::/112"
	}
	networking.Set("podSubnet", byDefault(NewString(pods)))
	networking.Set("serviceSubnet", byDefault(NewString(services4)))
	kubeadm.Get("apiServer").Set("extraVolumes", r.auditVolumes())

	config := services.Get("cri", "containerdConfig")
	config.Get(`plugins."io.containerd.grpc.v1.cri"`).Set("sandbox_image", later("imageRepository and the pause image of the Kubernetes version", func(e *renderer) (*Value, error) {
		repository, err := e.text(imageRepository...)
		if err != nil {
			return nil, err
		}
		version, err := e.text(kubernetes...)
		return NewString(repository + "/pause:" + releaseOf(version).pause), err
	}))
	config.Get(`plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options`).Set("SystemdCgroup", later("cgroupDriver of the kubelet", func(e *renderer) (*Value, error) {
		driver, err := e.text("services", "kubeadm_kubelet", "cgroupDriver")
		return NewBool(driver == "systemd"), err
	}))
}

// auditVolumes is the two folders that the audit arguments name.
func (r *resolver) auditVolumes() *Value {
	list := NewList()
	for _, v := range []struct{ name, arg, kind string }{
		{"audit", "audit-policy-file", "File"}, {"auditlog", "audit-log-path", "DirectoryOrCreate"},
	} {
		path := func(e *renderer) (*Value, error) {
			text, err := e.text("services", "kubeadm", "apiServer", "extraArgs", v.arg)
			if i := strings.LastIndexByte(text, '/'); v.kind != "File" && i > 0 {
				text = text[:i]
			}
			return NewString(text), err
		}
		volume := NewMap()
		volume.Set("name", byDefault(NewString(v.name)))
		volume.Set("hostPath", later(v.arg+" of the API server", path))
		volume.Set("mountPath", later(v.arg+" of the API server", path))
		volume.Set("readOnly", byDefault(NewBool(v.kind == "File")))
		volume.Set("pathType", byDefault(NewString(v.kind)))
		list.Items = append(list.Items, volume)
	}
	return list
}

// hostDefaults is the parts of hosts and DNS that depend on the IP family.
func (r *resolver) hostDefaults(services *Value) {
	if r.v6 {
		services.Get("etc_hosts").Set("::1", byDefault(newStrings("localhost", "localhost.localdomain")))
	}
	templates := services.Get("coredns", "configmap", "Corefile", ".:53", "template")
	family := "A"
	if r.v6 {
		family = "AAAA"
	}
	answer, zone := NewMap(), NewMap()
	answer.Set("match", laterText("cluster_name and below", `^(.*\.)?`, clusterName, `\.$`))
	answer.Set("answer", laterText("the inner control plane address", "{{ .Name }} 3600 IN "+family+" ", []string{"control_plain", "internal"}, ""))
	zone.Set("priority", byDefault(NewInt(1)))
	zone.Set("class", byDefault(NewString("IN")))
	zone.Set("type", byDefault(NewString(family)))
	zone.Set("zone", laterText("cluster_name", "", clusterName, ""))
	zone.Set("data", answer)
	templates.Set("default", zone)
	if !r.v6 {
		data, reject := NewMap(), NewMap()
		data.Set("authority", NewString(". 60 IN SOA . . 1 60 60 60 60"))
		reject.Set("priority", NewInt(2))
		reject.Set("class", NewString("IN"))
		reject.Set("type", NewString("AAAA"))
		reject.Set("data", data)
		templates.Set("reject-aaaa", byDefault(reject))
	}
}

func (r *resolver) balancerDefaults(services *Value) {
	ports := services.Get("loadbalancer", "target_ports")
	numbers := map[string]int64{"http": 80, "https": 443, "envoy_http": 80, "envoy_https": 443}
	if r.has(Balancer) {
		numbers = map[string]int64{"http": 20080, "https": 20443, "envoy_http": 21080, "envoy_https": 21443}
	}
	for _, name := range []string{"http", "https", "envoy_http", "envoy_https"} {
		ports.Set(name, byDefault(NewInt(numbers[name])))
	}
}
