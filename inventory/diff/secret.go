package diff

import (
	"regexp"
	"slices"
	"strings"

	"stoa/inventory"
)

// mask stands in the place of a secret.
const mask = "********"

// secretWords is what names of secrets have in them.
var secretWords = []string{"password", "passwd", "token", "secret", "authorization", "cookie"}

// secret tells by its name that a value is one.
func secret(path []string) bool {
	if len(path) == 0 {
		return false
	}
	name := strings.ToLower(path[len(path)-1])
	if name == "auth" || slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(name, word) }) {
		return true
	}
	return name == "key" && slices.ContainsFunc(path, func(above string) bool { return strings.Contains(above, "certificate") })
}

// masked is a value without the texts that are secrets.
func masked(path []string, v *inventory.Value) *inventory.Value {
	switch {
	case v.Kind == inventory.Map:
		m := inventory.NewMap()
		for _, member := range v.Members {
			m.Set(member.Name, masked(below(path, member.Name), member.Value))
		}
		return m
	case v.Kind == inventory.List:
		list := inventory.NewList()
		for _, item := range v.Items {
			list.Items = append(list.Items, masked(path, item))
		}
		return list
	case v.Kind == inventory.String && v.Text != "" && secret(path):
		return inventory.NewString(mask)
	case v.Kind == inventory.String:
		return inventory.NewString(hide(v.Text))
	}
	return v
}

var (
	// userinfo is the password in an address.
	userinfo = regexp.MustCompile(`://([^/:@\s]*):[^/@\s]+@`)
	// passwordLine is where haproxy and keepalived keep passwords in whole texts.
	passwordLine = regexp.MustCompile(`(?m)^([ \t]*(?:auth_pass|stats[ \t]+auth|user[ \t]+\S+[ \t]+(?:insecure-)?password)[ \t]+)\S+`)
)

// hide masks passwords within a text.
func hide(text string) string {
	if strings.Contains(text, "://") {
		text = userinfo.ReplaceAllString(text, "://$1:"+mask+"@")
	}
	if strings.Contains(text, "auth") || strings.Contains(text, "password") {
		text = passwordLine.ReplaceAllString(text, "${1}"+mask)
	}
	return text
}
