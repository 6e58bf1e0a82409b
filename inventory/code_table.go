package inventory

// Codes by stage.
const (
	ParseUnreadable   Code = "parse-unreadable"
	ParseTooLarge     Code = "parse-too-large"
	ParseEncoding     Code = "parse-encoding"
	ParseControl      Code = "parse-control-character"
	ParseSyntax       Code = "parse-syntax"
	ParseEmpty        Code = "parse-empty"
	ParseRoot         Code = "parse-root"
	ParseDocuments    Code = "parse-documents"
	ParseDuplicateKey Code = "parse-duplicate-key"
	ParseAlias        Code = "parse-alias"
	ParseTag          Code = "parse-tag"
	ParseKey          Code = "parse-key"
	ParseMergeKey     Code = "parse-merge-key"
	ParseTemplate     Code = "parse-unquoted-template"
	ParseNumber       Code = "parse-number"
	ParseDepth        Code = "parse-depth"
	ParseTooMany      Code = "parse-too-many-values"

	SchemaUnknownMember Code = "schema-unknown-member"
	SchemaMissingMember Code = "schema-missing-member"
	SchemaType          Code = "schema-type"
	SchemaEnum          Code = "schema-enum"
	SchemaRange         Code = "schema-range"
	SchemaLength        Code = "schema-length"
	SchemaItems         Code = "schema-items"
	SchemaUnique        Code = "schema-unique-items"
	SchemaMembers       Code = "schema-member-count"
	SchemaOneOf         Code = "schema-one-of"
	SchemaAnyOf         Code = "schema-any-of"
	SchemaMergeSymbol   Code = "schema-merge-symbol"

	MergeTwice   Code = "merge-symbol-twice"
	MergeMembers Code = "merge-symbol-members"
	MergeValue   Code = "merge-symbol-value"

	TemplateSyntax    Code = "template-syntax"
	TemplateUndefined Code = "template-undefined"
	TemplateHidden    Code = "template-hidden-name"
	TemplateCycle     Code = "template-cycle"
	TemplateFailed    Code = "template-failed"

	DuplicateName        Code = "semantic-duplicate-name"
	NodeName             Code = "semantic-node-name"
	DuplicateAddress     Code = "semantic-duplicate-address"
	DuplicateInternal    Code = "semantic-duplicate-internal-address"
	DuplicateGateway     Code = "semantic-duplicate-gateway"
	UnknownGateway       Code = "semantic-unknown-gateway"
	Credentials          Code = "semantic-credentials"
	NoControlPlane       Code = "semantic-no-control-plane"
	BalancerLabels       Code = "semantic-balancer-labels"
	KubernetesVersion    Code = "semantic-kubernetes-version"
	KubernetesOutdated   Code = "semantic-kubernetes-outdated"
	Subnet               Code = "semantic-subnet"
	InternalAddress      Code = "semantic-internal-address"
	BalancerVRRP         Code = "semantic-balancer-vrrp"
	MaintenanceMode      Code = "semantic-maintenance-mode"
	MaintenanceBind      Code = "semantic-maintenance-bind"
	MaintenanceFile      Code = "semantic-maintenance-file"
	TargetPorts          Code = "semantic-target-ports"
	PidMax               Code = "semantic-pid-max"
	PidMaxLow            Code = "semantic-pid-max-low"
	Conntrack            Code = "semantic-conntrack-max"
	SysctlValue          Code = "semantic-sysctl-value"
	Module               Code = "semantic-kernel-module"
	NTP                  Code = "semantic-ntp"
	KubeadmPatch         Code = "semantic-kubeadm-patch"
	ContainerdRegistries Code = "semantic-containerd-registries"
	ThirdpartyNode       Code = "semantic-thirdparty-node"
	PluginFile           Code = "semantic-plugin-file"
	PluginMethod         Code = "semantic-plugin-method"
	PluginThirdparty     Code = "semantic-plugin-thirdparty"
	PluginVariable       Code = "semantic-plugin-variable"
	PluginOutVars        Code = "semantic-plugin-out-vars"
	PSSVersion           Code = "semantic-pss-version"
	Association          Code = "semantic-package-association"
	TruthWord            Code = "semantic-truth-word"
	Integer              Code = "semantic-integer"
	UnknownNode          Code = "semantic-unknown-node"
	VRRPHostRole         Code = "semantic-vrrp-host"
	VRRPNoBalancer       Code = "semantic-vrrp-no-balancer"
	VRRPExternal         Code = "semantic-vrrp-external"
	NoExternal           Code = "semantic-no-external-address"

	LintEvenControlPlanes Code = "lint-even-control-planes"
	LintClusterName       Code = "lint-cluster-name"
	LintRouterID          Code = "lint-router-id"
	LintVRRPTwice         Code = "lint-vrrp-twice"
	LintMixedFamilies     Code = "lint-mixed-ip-families"
	LintInternalAddress   Code = "lint-internal-address"
	LintNodeName          Code = "lint-node-name"
	LintNoWorker          Code = "lint-no-worker"
	LintBlankPassword     Code = "lint-blank-password"
	LintObsolete          Code = "lint-obsolete"
	LintUnusedGateway     Code = "lint-unused-gateway"
	LintThresholds        Code = "lint-history-thresholds"
	LintClearPassword     Code = "lint-clear-password"
	LintEmptyTemplate     Code = "lint-empty-template"
)

// codes is the one table of what can be wrong.
var codes = []CodeInfo{
	{Code: ParseUnreadable, Severity: Error, Title: "File cannot be read",
		Explanation: "The file does not exist, is a folder, or may not be read by this user."},
	{Code: ParseTooLarge, Severity: Error, Title: "File too large",
		Explanation: "A document may have up to 32 MiB."},
	{Code: ParseEncoding, Severity: Error, Title: "Not UTF-8",
		Explanation: "A document is text in UTF-8, with or without a byte order mark."},
	{Code: ParseControl, Severity: Error, Title: "Control character",
		Explanation: "Control characters other than tab and line ends are not text. In a quoted value they can be written as an escape."},
	{Code: ParseSyntax, Severity: Error, Title: "Not valid YAML or JSON",
		Explanation: "The text cannot be parsed, so nothing else in this file was checked."},
	{Code: ParseEmpty, Severity: Error, Title: "Empty document",
		Explanation: "A document is a map with at least cluster_name and nodes."},
	{Code: ParseRoot, Severity: Error, Title: "The document is no map",
		Explanation: "The top of a document is a map of members, not a list or a single value."},
	{Code: ParseDocuments, Severity: Error, Title: "More than one document",
		Explanation: "A file holds one document; a second one after --- is never read silently."},
	{Code: ParseDuplicateKey, Severity: Error, Title: "Key stands twice",
		Explanation: "A key may stand once in a map. Two spellings of one value (1 and 0x1, yes and true) are the same key."},
	{Code: ParseAlias, Severity: Error, Title: "Alias without value",
		Explanation: "An alias needs an anchor before it, and an anchor must not contain itself."},
	{Code: ParseTag, Severity: Error, Title: "Unknown tag",
		Explanation: "Only the standard tags of YAML are known; tags of a language or an application are refused."},
	{Code: ParseKey, Severity: Error, Title: "Map or list as a key",
		Explanation: "The key of a map is a scalar."},
	{Code: ParseMergeKey, Severity: Error, Title: "Merge key without a map",
		Explanation: `An unquoted << merges maps. The symbol that merges lists is the quoted key "<<" with the value merge or replace.`},
	{Code: ParseTemplate, Severity: Error, Title: "Template outside quotes",
		Explanation: "An unquoted {{ or {% is flow syntax to YAML: put the whole value in quotes."},
	{Code: ParseNumber, Severity: Error, Title: "Number out of range",
		Explanation: "The number cannot be held exactly enough to be checked."},
	{Code: ParseDepth, Severity: Error, Title: "Nested too deep",
		Explanation: "Maps and lists may be nested 1,000 levels."},
	{Code: ParseTooMany, Severity: Error, Title: "Too many values",
		Explanation: "A document may have up to 1,000,000 values with its aliases written out."},
	{Code: SchemaUnknownMember, Severity: Error, Title: "Unknown member",
		Explanation: "This object is closed: only the members of the schema are allowed in it."},
	{Code: SchemaMissingMember, Severity: Error, Title: "Missing member",
		Explanation: "The object lacks a member that the schema requires."},
	{Code: SchemaType, Severity: Error, Title: "Wrong type",
		Explanation: "The value has a type that does not fit here. A template is a text, so it fits only where a text is allowed."},
	{Code: SchemaEnum, Severity: Error, Title: "Value not in the list",
		Explanation: "Only the listed values are allowed here."},
	{Code: SchemaRange, Severity: Error, Title: "Number outside its bounds",
		Explanation: "The number is smaller or larger than allowed."},
	{Code: SchemaLength, Severity: Error, Title: "Text too short",
		Explanation: "The text has fewer characters than required."},
	{Code: SchemaItems, Severity: Error, Title: "Wrong number of items",
		Explanation: "The list has fewer or more items than allowed."},
	{Code: SchemaUnique, Severity: Error, Title: "Item stands twice",
		Explanation: "The list is a set: an item may stand once in it."},
	{Code: SchemaMembers, Severity: Error, Title: "Wrong number of members",
		Explanation: "The object has fewer or more members than allowed."},
	{Code: SchemaOneOf, Severity: Error, Title: "Exactly one of several members",
		Explanation: "Of these members exactly one must be given."},
	{Code: SchemaAnyOf, Severity: Error, Title: "At least one of several members",
		Explanation: "Of these members at least one must be given."},
	{Code: SchemaMergeSymbol, Severity: Error, Title: "List merge symbol not allowed here",
		Explanation: `The item {"<<": merge} is allowed only in lists that have default items to merge with.`},
	{Code: MergeTwice, Severity: Error, Title: "Two merge symbols in a list",
		Explanation: "The default items can stand in one place of a list only."},
	{Code: MergeMembers, Severity: Error, Title: "Merge symbol with further members",
		Explanation: `The merge symbol is an item of its own: an object whose one member is "<<".`},
	{Code: MergeValue, Severity: Error, Title: "Unknown merge symbol",
		Explanation: `The value of "<<" is merge or replace.`},
	{Code: TemplateSyntax, Severity: Error, Title: "Template cannot be parsed",
		Explanation: "The text holds {{ or {% and is read as a Jinja template. To write braces as they are, use {% raw %}…{% endraw %}."},
	{Code: TemplateUndefined, Severity: Error, Title: "Member of something undefined",
		Explanation: "The template reads a member of a name that has no value. Give the value, or use default(…)."},
	{Code: TemplateHidden, Severity: Error, Title: "Name not visible here",
		Explanation: "Node members and values are needed before anything else is known: they see only nodes, node_defaults, gateway_nodes, cluster_name, values, procedure_history and env."},
	{Code: TemplateCycle, Severity: Error, Title: "Templates refer to each other in a circle",
		Explanation: "A value depends on itself, directly or through other templates."},
	{Code: TemplateFailed, Severity: Error, Title: "Template cannot be evaluated",
		Explanation: "A filter or an operation got a value that it cannot work with, or the template takes too long."},
	{Code: DuplicateName, Severity: Error, Title: "Node name used twice",
		Explanation: "Node names are unique. A node without a name is called after its role and a number, which can clash with a given name."},
	{Code: NodeName, Severity: Error, Title: "Character not allowed in a node name",
		Explanation: "A node name is a Kubernetes node name: small letters, digits, - and dots."},
	{Code: DuplicateAddress, Severity: Error, Title: "Access address used twice",
		Explanation: "Two nodes would be reached at the same address: connect_to, else address, else internal_address."},
	{Code: DuplicateInternal, Severity: Error, Title: "Internal address used twice",
		Explanation: "Every node has its own internal_address."},
	{Code: DuplicateGateway, Severity: Error, Title: "Gateway name used twice",
		Explanation: "Gateways are referred to by name, so names are unique."},
	{Code: UnknownGateway, Severity: Error, Title: "Unknown gateway",
		Explanation: "The gateway of a node is the name of an item of gateway_nodes."},
	{Code: Credentials, Severity: Error, Title: "Neither keyfile nor password",
		Explanation: "A node is reached over SSH with a keyfile or a password, its own or that of node_defaults."},
	{Code: NoControlPlane, Severity: Error, Title: "No control-plane node",
		Explanation: "A cluster has at least one node with the role control-plane."},
	{Code: BalancerLabels, Severity: Error, Title: "Labels or taints on a balancer",
		Explanation: "A node that is only a balancer is no Kubernetes node, so it can have neither labels nor taints."},
	{Code: KubernetesVersion, Severity: Error, Title: "Unknown Kubernetes version",
		Explanation: "The version is not among those that this program knows how to install."},
	{Code: KubernetesOutdated, Severity: Warning, Title: "Outdated Kubernetes version",
		Explanation: "This minor version is the oldest one known and will be dropped next."},
	{Code: Subnet, Severity: Error, Title: "Not a network",
		Explanation: "A subnet is an address and a prefix length without host bits, such as 10.128.0.0/14."},
	{Code: InternalAddress, Severity: Error, Title: "Internal address is no IP",
		Explanation: "The internal address of the first node decides the IP family of the cluster, so it must be an IP address."},
	{Code: BalancerVRRP, Severity: Error, Title: "Combined balancer without VRRP address",
		Explanation: "A balancer that has another role binds only its VRRP addresses, so it needs one."},
	{Code: MaintenanceMode, Severity: Error, Title: "Maintenance mode and VRRP addresses disagree",
		Explanation: "Maintenance mode is on exactly when some VRRP address has maintenance-type: not bind."},
	{Code: MaintenanceBind, Severity: Error, Title: "Nothing to bind in maintenance mode",
		Explanation: "In maintenance mode every balancer keeps an address to bind: one that is not marked not bind, or its own as a plain balancer."},
	{Code: MaintenanceFile, Severity: Error, Title: "Maintenance file is the regular file",
		Explanation: "The maintenance configuration of the balancer needs a file of its own."},
	{Code: TargetPorts, Severity: Error, Title: "Target ports overlap",
		Explanation: "Both ingress controllers are installed, so their ports on the workers must differ."},
	{Code: PidMax, Severity: Error, Title: "kernel.pid_max does not fit",
		Explanation: "Every control-plane and worker node needs room for maxPods times podPidsLimit processes, at most 4194304."},
	{Code: PidMaxLow, Severity: Warning, Title: "kernel.pid_max is low",
		Explanation: "Fewer process numbers than the kernel's own default of 32768."},
	{Code: Conntrack, Severity: Error, Title: "nf_conntrack_max differs between nodes",
		Explanation: "kube-proxy has one setting for all nodes, so the kernel parameter must be equal on all of them."},
	{Code: SysctlValue, Severity: Error, Title: "Kernel parameter is no whole number",
		Explanation: "Kernel parameters are whole numbers; a blank text turns one off."},
	{Code: Module, Severity: Error, Title: "Kernel module blank or twice",
		Explanation: "A kernel module has a name and stands once in the list, defaults included."},
	{Code: NTP, Severity: Error, Title: "Two time services",
		Explanation: "chrony and timesyncd exclude each other: give servers to one of them."},
	{Code: KubeadmPatch, Severity: Error, Title: "Patch for a node that does not run this",
		Explanation: "A kubelet patch is for control-plane and worker nodes, all others for control-plane nodes."},
	{Code: ContainerdRegistries, Severity: Error, Title: "Two ways to configure registries",
		Explanation: "containerd takes either the old mirror and TLS tables or config_path with one folder per registry, not both."},
	{Code: ThirdpartyNode, Severity: Error, Title: "Third-party file for an unknown node",
		Explanation: "The nodes of a third-party file are names of the document."},
	{Code: PluginFile, Severity: Error, Title: "File of a plugin step does not exist",
		Explanation: "Template, config, ansible and python files of plugin steps are looked for below the folder of the document."},
	{Code: PluginMethod, Severity: Error, Title: "Method of a python step is not defined",
		Explanation: "The module of a python step must define the method."},
	{Code: PluginThirdparty, Severity: Error, Title: "Unknown third-party file",
		Explanation: "A thirdparty step names a destination of services.thirdparties."},
	{Code: PluginVariable, Severity: Error, Title: "Not a shell variable",
		Explanation: "The name of a shell variable is a word of letters, digits and underscores that does not begin with a digit."},
	{Code: PluginOutVars, Severity: Error, Title: "out_vars from several nodes",
		Explanation: "Variables are taken from one node: with a selector, it must choose exactly one."},
	{Code: PSSVersion, Severity: Error, Title: "Pod security version does not fit",
		Explanation: "A version is latest or v1.NN, not above the cluster's Kubernetes version."},
	{Code: Association, Severity: Error, Title: "Package association does not fit",
		Explanation: "semanage is not used on the debian family, and the audit association has one package."},
	{Code: TruthWord, Severity: Error, Title: "Not a truth word",
		Explanation: "After rendering, the value is one of true, yes, y, t, on, 1, false, no, n, f, off, 0."},
	{Code: Integer, Severity: Error, Title: "Not a whole number",
		Explanation: "After rendering, the value is a whole number."},
	{Code: UnknownNode, Severity: Warning, Title: "Unknown node",
		Explanation: "A filter names a node that the document does not have, so it has no effect there."},
	{Code: VRRPHostRole, Severity: Warning, Title: "VRRP host is no balancer",
		Explanation: "Only balancers carry VRRP addresses; this host is passed over."},
	{Code: VRRPNoBalancer, Severity: Warning, Title: "VRRP address without balancers",
		Explanation: "Without a balancer, VRRP addresses have no effect."},
	{Code: VRRPExternal, Severity: Warning, Title: "VRRP address without an outer address",
		Explanation: "The inner control plane address is a VRRP address, but no floating_ip gives the outer one."},
	{Code: NoExternal, Severity: Warning, Title: "No outer address",
		Explanation: "No node or VRRP address has an outer address, so the inner one serves outside too."},
	{Code: LintEvenControlPlanes, Severity: Warning, Title: "Even number of control planes",
		Explanation: "etcd needs a majority: an even number of members survives no more failures than one fewer."},
	{Code: LintClusterName, Severity: Warning, Title: "cluster_name is no domain name",
		Explanation: "The name goes into certificates, hosts files and DNS zones."},
	{Code: LintRouterID, Severity: Warning, Title: "router_id not unique or too long",
		Explanation: "Balancers tell VRRP groups apart by a number from 1 to 255."},
	{Code: LintVRRPTwice, Severity: Warning, Title: "VRRP id or password used twice",
		Explanation: "Each VRRP address has its own id and password."},
	{Code: LintMixedFamilies, Severity: Warning, Title: "IPv4 and IPv6 mixed",
		Explanation: "The cluster takes the IP family of its first node for all of them."},
	{Code: LintInternalAddress, Severity: Warning, Title: "Internal address is no IP",
		Explanation: "Only the first one is checked, but every node needs an IP address here."},
	{Code: LintNodeName, Severity: Warning, Title: "Unfit node name",
		Explanation: "A host name begins and ends with a letter or a digit and has up to 63 characters."},
	{Code: LintNoWorker, Severity: Warning, Title: "No worker",
		Explanation: "Nothing but the control plane can run."},
	{Code: LintBlankPassword, Severity: Warning, Title: "Blank password",
		Explanation: "The password is empty after rendering, often because an environment variable is not set."},
	{Code: LintObsolete, Severity: Warning, Title: "Obsolete member",
		Explanation: "It still works, and a newer form exists."},
	{Code: LintUnusedGateway, Severity: Warning, Title: "Gateway never used",
		Explanation: "No node names this gateway."},
	{Code: LintThresholds, Severity: Warning, Title: "History is deleted before it is archived",
		Explanation: "delete_threshold should not be below archive_threshold."},
	{Code: LintClearPassword, Severity: Warning, Title: "Password in clear text",
		Explanation: "Whoever reads the document reads the password; take it from the environment."},
	{Code: LintEmptyTemplate, Severity: Warning, Title: "Template refers to nothing",
		Explanation: "The template renders as an empty text."},
}
