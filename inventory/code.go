package inventory

import (
	"slices"
	"strings"
)

// Code names one kind of fault. Codes are stable: they are never renamed.
type Code string

// CodeInfo explains a code.
type CodeInfo struct {
	Code        Code     `json:"code"`
	Severity    Severity `json:"severity"`
	Stage       string   `json:"stage"`
	Title       string   `json:"title"`
	Explanation string   `json:"explanation"`
}

// Stage is the part of the work that a code belongs to.
func (c Code) Stage() string {
	stage, _, _ := strings.Cut(string(c), "-")
	return stage
}

// Severity of all faults with this code.
func (c Code) Severity() Severity { return c.About().Severity }

// About explains a code.
func (c Code) About() CodeInfo {
	i := slices.IndexFunc(codes, func(about CodeInfo) bool { return about.Code == c })
	about := codes[i]
	about.Stage = c.Stage()
	return about
}

// Codes is every code there is, in the order of the stages.
func Codes() []CodeInfo {
	all := slices.Clone(codes)
	for i := range all {
		all[i].Stage = all[i].Code.Stage()
	}
	return all
}
