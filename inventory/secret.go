package inventory

import (
	"regexp"
	"slices"
	"strings"
)

// Mask stands in the place of a secret. It is as long as a VRRP password may be.
const Mask = "********"

var secretWords = []string{"password", "passwd", "token", "secret", "authorization", "cookie"}

// SecretName tells by the name of a member that its texts are secrets.
func SecretName(name string) bool {
	name = strings.ToLower(name)
	return name == "auth" || slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(name, word) })
}

// SecretPath tells by the names that lead to a value, positions in lists left out, that
// its texts are secrets.
func SecretPath(names []string) bool {
	if len(names) == 0 {
		return false
	}
	last := names[len(names)-1]
	return SecretName(last) || last == "key" && slices.ContainsFunc(names, func(above string) bool { return strings.Contains(above, "certificate") })
}

// MaskText hides the passwords within any text.
func MaskText(text string) string { return MaskLines(MaskAddresses(text)) }

var userinfo = regexp.MustCompile(`://([^/:@\s]*):[^/@\s]+@`)

// MaskAddresses hides the passwords in addresses within a text.
func MaskAddresses(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	return userinfo.ReplaceAllString(text, "://$1:"+Mask+"@")
}

var passwordLine = regexp.MustCompile(`(?m)^([ \t]*(?:auth_pass|stats[ \t]+auth|user[ \t]+\S+[ \t]+(?:insecure-)?password)[ \t]+)\S+`)

// MaskLines hides the passwords in a configuration of haproxy or keepalived.
func MaskLines(text string) string {
	if !strings.Contains(text, "auth") && !strings.Contains(text, "password") {
		return text
	}
	return passwordLine.ReplaceAllString(text, "${1}"+Mask)
}
