// Package rulefiles reads rate limit rules from a folder and reads them again
// when something there changes.
//
// A set of rules is every *.yaml and *.yml file below the folder. Whoever puts
// files there swaps them in one of many ways: an editor writes or renames, a
// deployment points a symlink elsewhere, Kubernetes renames ..data, somebody
// moves the whole folder. A watch of the operating system holds on to the folder
// it was given, wherever that goes, so after each change all watches are made
// anew, first the watches, then the reading: what changes in between is told by
// the new ones.
//
// A set is read whole or again: when the files differ after reading from what
// they were before, the reading was of two sets, and is repeated.
package rulefiles
