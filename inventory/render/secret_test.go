package render_test

import (
	"bytes"
	"regexp"
	"testing"

	"stoa/inventory/render"
)

func TestSecretsAreMasked(t *testing.T) {
	t.Parallel()
	files, _, err := render.Render(read(t, documents["rich"]), render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if bytes.Contains(f.Content, []byte("hunter2")) || bytes.Contains(f.Content, []byte("s3cret")) {
			t.Errorf("%s shows a secret:\n%s", f.Name(), f.Content)
		}
	}
}

func TestSecretsAreShownWhenAsked(t *testing.T) {
	t.Parallel()
	files, _, err := render.Render(read(t, documents["rich"]), render.Options{Secrets: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"lb-1/etc/keepalived/keepalived.conf": "auth_pass s3cret\n",
		"lb-1/etc/haproxy/haproxy.cfg":        "insecure-password hunter2\n",
		"wk-1/etc/containerd/config.toml":     `password = "hunter2"`,
		"cluster/accounts.yaml":               "password: hunter2\n",
	} {
		f := one(t, files, name)
		if !bytes.Contains(f.Content, []byte(want)) {
			t.Errorf("%s does not have %q:\n%s", name, want, f.Content)
		}
		if !f.Secret || f.Masked || f.Mode != 0o600 {
			t.Errorf("%s: got secret %v, masked %v, mode %04o", name, f.Secret, f.Masked, f.Mode)
		}
	}
}

func TestDrawnPasswordIsTheSameOnAllHosts(t *testing.T) {
	t.Parallel()
	files, _, err := render.Render(read(t, documents["ha"]), render.Options{Secrets: true})
	if err != nil {
		t.Fatal(err)
	}
	drawn := func(node string) string {
		f := one(t, files, node+"/etc/keepalived/keepalived.conf")
		return string(bytes.Join(regexp.MustCompile(`auth_pass [0-9a-f]{8}\n`).FindAll(f.Content, -1), nil))
	}
	first, second := drawn("lb-1"), drawn("lb-2")
	if len(first) != 2*len("auth_pass 12345678\n") || first != second {
		t.Errorf("got passwords %q and %q", first, second)
	}
	if first[:len(first)/2] == first[len(first)/2:] {
		t.Errorf("both addresses have the password %q", first)
	}
}

func TestPasswordsInAddressesAreMasked(t *testing.T) {
	t.Parallel()
	files, _, err := render.Render(resolve(t, node("n1", `
services:
  cri:
    containerdRegistriesConfig:
      example.com:
        server: https://robot:hunter2@example.com
        'host."https://a.example.com"': {capabilities: [pull], header: {Authorization: [Basic aHVudGVyMg==], x-zone: [eu]}}
        'host."https://0.example.com"': {capabilities: [pull]}
`)), render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const want = `server = "https://robot:********@example.com"

[host."https://a.example.com"]
capabilities = ["pull"]

[host."https://a.example.com".header]
Authorization = ["********"]
x-zone = ["eu"]

[host."https://0.example.com"]
capabilities = ["pull"]
`
	f := one(t, files, "n1/etc/containerd/certs.d/example.com/hosts.toml")
	if string(f.Content) != want || !f.Masked {
		t.Errorf("got masked %v\n%s", f.Masked, f.Content)
	}
}
