package render

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strings"

	"stoa/inventory"
)

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
		return inventory.Mask
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
		if texts := m.Value.Strings(); len(texts) > 0 && inventory.SecretName(m.Name) {
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
	if shown := inventory.MaskAddresses(v.Str()); shown != v.Str() {
		secret = true
		if !r.o.Secrets {
			c.Text = shown
		}
	}
	return &c, secret
}

// maskOf is a mask for a text, and for each of a list.
func maskOf(v *inventory.Value) *inventory.Value {
	if v.Kind != inventory.List {
		return inventory.NewString(inventory.Mask)
	}
	masks := inventory.NewList()
	for range v.Items {
		masks.Items = append(masks.Items, inventory.NewString(inventory.Mask))
	}
	return masks
}

// maskedText is a text of the operator's own with masks for its passwords.
func (r *renderer) maskedText(f File, text string) File {
	shown := inventory.MaskLines(text)
	f.Content, f.Secret = []byte(text), shown != text
	if f.Secret {
		f.Mode = private
	}
	if f.Masked = f.Secret && !r.o.Secrets; f.Masked {
		f.Content = []byte(shown)
	}
	return f
}
