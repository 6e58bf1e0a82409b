package inventory

// reach fills in where SSH goes.
func (r *resolver) reach() {
	for _, n := range r.nodes {
		if n.ConnectTo != "" {
			continue
		}
		from := "address"
		if n.Value.Get(from).Str() == "" {
			from = "internal_address"
		}
		v := n.Value.Get(from)
		if n.ConnectTo = v.Str(); n.ConnectTo == "" {
			continue
		}
		to := NewString(n.ConnectTo)
		to.Origin = &Origin{Kind: FromCalculation, Rule: from, At: OriginOf(v).At}
		n.Value.Set("connect_to", to)
	}
}

// workerLabel is on every worker.
const workerLabel = "node-role.kubernetes.io/worker"

// nodeDefaults copies to each node the members that it does not have itself.
// What it has is kept whole.
func (r *resolver) nodeDefaults() {
	defaults := r.root.Get("node_defaults")
	for _, n := range r.nodes {
		for _, d := range defaults.Members {
			if n.Value.Get(d.Name) == nil && r.taint.sound(n.path+"/"+d.Name) {
				v := d.Value.clone()
				n.Value.Set(d.Name, v.mark(&Origin{Kind: FromNodeDefaults, At: OriginOf(d.Value).At}))
			}
		}
		n.Gateway = n.Value.Get("gateway").Str()
		if n.Has(Worker) {
			labels := n.Value.Get("labels")
			if labels == nil {
				labels = calculated("labels of a worker", NewMap())
				n.Value.Set("labels", labels)
			}
			if labels.Kind == Map && labels.Get(workerLabel) == nil {
				labels.Set(workerLabel, calculated("every worker has this label", NewString("worker")))
			}
		}
	}
}
