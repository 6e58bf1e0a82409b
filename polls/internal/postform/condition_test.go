package postform_test

import (
	"strings"
	"testing"

	"stoa/polls/internal/postform"
)

func TestConditionsThatHold(t *testing.T) {
	t.Parallel()
	tests := []struct {
		conditions string
		more       fields
	}{
		{`[{"key":"a/b"},{"bucket":"uploads"}]`, nil},
		{`[["eq","$key","a/b"],["eq","$bucket","uploads"]]`, nil},
		{`[["starts-with","$key","a/"],["starts-with","$bucket",""]]`, nil},
		{`[{"KEY":"a/b"},["eq","$Bucket","uploads"]]`, nil},
		{`[{"key":"a/b"},{"bucket":"uploads"},["starts-with","$x-amz-meta-note",""]]`, fields{"X-Amz-Meta-Note", "any"}},
		{`[{"key":"a/b"},{"bucket":"uploads"},["content-length-range",0,5],["content-length-range",5,99]]`, nil},
		{`[{"key":"a/b"},{"bucket":"uploads"},["content-length-range",5,2000000000]]`, nil},
	}
	for _, tt := range tests {
		form := append(signed(tt.conditions, "key", "a/b"), tt.more...)
		accepted(t, form.upload(strings.NewReader("photo")), store{"a/b": " photo"})
	}
}

func TestConditionsThatDoNot(t *testing.T) {
	t.Parallel()
	tests := []struct {
		conditions string
		want       postform.Code
	}{
		{`[]`, postform.AccessDenied},
		{`[{"bucket":"uploads"}]`, postform.AccessDenied},
		{`[{"key":"a/b"}]`, postform.AccessDenied},
		{`[{"key":"A/B"},{"bucket":"uploads"}]`, postform.AccessDenied},
		{`[["eq","$key","a/"],{"bucket":"uploads"}]`, postform.AccessDenied},
		{`[["starts-with","$key","b/"],{"bucket":"uploads"}]`, postform.AccessDenied},
		{`[{"key":"a/b"},["starts-with","$key","b"],{"bucket":"uploads"}]`, postform.AccessDenied},
		{`[{"key":"a/b"},{"bucket":"uploads"},["starts-with","$acl",""]]`, postform.AccessDenied},
		{`[{"key":"a/b"},{"bucket":"uploads"},["content-length-range",6,9]]`, postform.EntityTooSmall},
		{`[{"key":"a/b"},{"bucket":"uploads"},["content-length-range",0,4]]`, postform.EntityTooLarge},
		{`[{"key":"a/b"},{"bucket":"uploads"},["content-length-range",0,9],["content-length-range",0,4]]`, postform.EntityTooLarge},
		{`[{"key":"a/b"},{"bucket":"uploads"},["content-length-range",9,1]]`, postform.InvalidArgument},
		{`[{"key":"a/b"},{"bucket":"uploads"},["content-length-range","0","9"]]`, postform.InvalidArgument},
		{`[{"key":"a/b"},{"bucket":"uploads"},["content-length-range",0,1e300]]`, postform.InvalidArgument},
		{`[{"key":"a/b","bucket":"uploads"}]`, postform.InvalidArgument},
		{`[{"key":7}]`, postform.InvalidArgument},
		{`[{}]`, postform.InvalidArgument},
		{`[null]`, postform.InvalidArgument},
		{`[["eq","key","a/b"]]`, postform.InvalidArgument},
		{`[["eq","$key",null]]`, postform.InvalidArgument},
		{`[["matches","$key",".*"]]`, postform.InvalidArgument},
		{`[["eq","$key"]]`, postform.InvalidArgument},
		{`[[[],{},[]]]`, postform.InvalidArgument},
		{`{}`, postform.InvalidArgument},
		{`[`, postform.InvalidArgument},
	}
	for _, tt := range tests {
		t.Run(tt.conditions, func(t *testing.T) {
			t.Parallel()
			refused(t, signed(tt.conditions, "key", "a/b").upload(strings.NewReader("photo")), tt.want)
		})
	}
}
