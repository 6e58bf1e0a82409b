// Package language knows which language tags the video API takes, and where.
package language

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// captions has one line per tag: the tag, a tab, and what the language calls
// itself, with a capital first. Where that is not known it is the tag.
//
//go:embed captions.tsv
var captions string

var captionNames = sync.OnceValue(func() map[string]string {
	names := make(map[string]string, 700)
	for line := range strings.Lines(captions) {
		tag, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		names[tag] = name
	}
	return names
})

// Caption is what the language of a caption calls itself. Tags are taken as they
// are written in the list, capitals included.
func Caption(tag string) (name string, ok bool) {
	name, ok = captionNames()[tag]
	return name, ok
}

// plain leaves out what may not stand in a path, and private tags ("x-…").
var plain = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,6}$`)

// captionTags has the tags by their lower case.
var captionTags = sync.OnceValue(func() map[string]string {
	tags := make(map[string]string, len(captionNames()))
	for tag := range captionNames() {
		tags[strings.ToLower(tag)] = tag
	}
	return tags
})

// Chapter tells whether a tag is one of BCP 47, each part of it registered, or that of
// a caption. Letter case means nothing: kept has that of the caption, or the usual one.
func Chapter(tag string) (kept string, ok bool) {
	if kept, ok := captionTags()[strings.ToLower(tag)]; ok {
		return kept, true
	}
	if !plain.MatchString(tag) {
		return "", false
	}
	_, err := language.Parse(tag)
	return usualCase(tag), err == nil
}

// usualCase writes a tag as BCP 47 does: countries in capitals, scripts with one. The
// library would also put other tags in the place of some.
func usualCase(tag string) string {
	parts := strings.Split(strings.ToLower(tag), "-")
	for i, part := range parts[1:] {
		switch len(part) {
		case 1: // what follows is an extension
			return strings.Join(parts, "-")
		case 2:
			parts[i+1] = strings.ToUpper(part)
		case 4:
			parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "-")
}

var videos = strings.Fields("ar ca cs da de el en es fa fi fr he hi hr hu it ja ko ml nl nn no pl pt ru sk sl te tr uk ur vi zh")

// Video is the language of a video as it is kept. The published description of
// the API says false in the place of no, the way YAML reads it, and the clients
// made from it cannot send anything else: so "false" is "no".
func Video(tag string) (kept string, ok bool) {
	if tag == "false" {
		return "no", true
	}
	return tag, slices.Contains(videos, tag)
}
