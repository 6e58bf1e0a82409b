package render

import (
	"crypto/rand"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"stoa/inventory"
)

// mask stands for a secret. It is as long as a VRRP password may be.
const mask = "********"

// Placeholders for what the cluster gives to a node that joins; kubeadm accepts
// their shape.
const placeholderToken = "masked.maskedmaskedmask"

var (
	placeholderHash = "sha256:" + strings.Repeat("0", 64)
	placeholderKey  = strings.Repeat("0", 64)
)

// password of a VRRP address: the same on all its hosts. One that the document
// leaves out is only drawn to be shown.
func (r *renderer) password(v *inventory.VRRP) string {
	if !r.o.Secrets {
		return mask
	}
	if own := v.Value.Get("password").Str(); own != "" {
		return own
	}
	if r.passwords == nil {
		r.passwords = make(map[*inventory.VRRP]string)
	}
	if r.passwords[v] == "" {
		random := make([]byte, 4)
		_, _ = rand.Read(random) // never fails
		r.passwords[v] = hex.EncodeToString(random)
	}
	return r.passwords[v]
}

// masked is a value with masks for its secrets, and whether it has any.
func (r *renderer) masked(v *inventory.Value) (shown *inventory.Value, secret bool) {
	c := *v
	c.Members = slices.Clone(v.Members)
	c.Items = slices.Clone(v.Items)
	for i, m := range c.Members {
		if texts := m.Value.Strings(); len(texts) > 0 && secretName(m.Name) {
			secret = true
			if !r.o.Secrets {
				c.Members[i].Value = maskOf(m.Value)
			}
			continue
		}
		below, has := r.masked(m.Value)
		c.Members[i].Value, secret = below, secret || has
	}
	for i, item := range c.Items {
		below, has := r.masked(item)
		c.Items[i], secret = below, secret || has
	}
	if text := v.Str(); userinfo.MatchString(text) {
		secret = true
		if !r.o.Secrets {
			c.Text = userinfo.ReplaceAllString(text, "://$1:"+mask+"@")
		}
	}
	return &c, secret
}

// maskOf is a mask for a text, and for each of a list.
func maskOf(v *inventory.Value) *inventory.Value {
	if v.Kind != inventory.List {
		return inventory.NewString(mask)
	}
	masks := inventory.NewList()
	for range v.Items {
		masks.Items = append(masks.Items, inventory.NewString(mask))
	}
	return masks
}

// userinfo is the password in an address.
var userinfo = regexp.MustCompile(`://([^/:@\s]*):[^/@\s]+@`)

// secretName tells the names under which containerd keeps secrets.
func secretName(name string) bool {
	name = strings.ToLower(name)
	return name == "auth" || slices.ContainsFunc([]string{"password", "token", "secret", "authorization", "cookie"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}

// passwordLine is where haproxy and keepalived keep passwords in whole texts.
var passwordLine = regexp.MustCompile(`(?m)^([ \t]*(?:auth_pass|stats[ \t]+auth|user[ \t]+\S+[ \t]+(?:insecure-)?password)[ \t]+)\S+`)

// maskedText is a text of the operator's own with masks for its passwords.
func (r *renderer) maskedText(f File, text string) File {
	f.Content, f.Secret = []byte(text), passwordLine.MatchString(text)
	if f.Secret {
		f.Mode = private
	}
	if f.Masked = f.Secret && !r.o.Secrets; f.Masked {
		f.Content = []byte(passwordLine.ReplaceAllString(text, "${1}"+mask))
	}
	return f
}
