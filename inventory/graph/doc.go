// Package graph shows the topology of a cluster: clients, the addresses that
// move between balancers, balancers, control planes and workers, one layer
// below the other, and beside them the gateways that SSH goes through.
//
//	New        Inventory → Topology   who stands where
//	WriteText  Topology  → lines, one per node
//	WriteSVG   Topology  → a drawing of its own, light or dark as the reader likes
//
// A node is drawn once, in the layer of the first role that traffic meets, and
// shows all its roles. A layer of many nodes is a grid of small boxes. Where
// things stand is computed before anything is written (layout.go), so that a test can
// tell that nothing overlaps.
package graph
