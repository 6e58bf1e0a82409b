// Package inventory understands the document that describes a whole cluster.
//
// The way through it is one direction, and each arrow has its own type:
//
//	Load      text      → Document   values with their places in the file
//	Validate  Document  → Faults     against the schema that editors use too
//	Resolve   Document  → Inventory  defaults, templates, names, patches, checks
//
// Rendering files for the nodes and planning what to do there start from the
// Inventory. Nothing in this package touches a node or the network; of the file
// system it only asks whether the files of plugin steps exist.
//
// Whatever is wrong is a Fault with a file, a line, a column and a stable code.
// A document that cannot be parsed has one fault; all later stages report
// together, each as far as its input is sound, so that one run shows everything.
package inventory
