"""What each rule means, for systems that show it beside a result."""

from mcplock.records import NamedTuple


class Rule(NamedTuple):
    """name: in a few words; help: what it means and what to do; severity: from 0 to 10."""

    name: str
    help: str
    severity: float


_HIGH, _MEDIUM, _LOW, _INFO = 8.0, 5.5, 3.0, 1.0
_READ = "Read the entry with `mcplock show`, then `mcplock deny` or `mcplock approve` it."

RULES = {
    "drift": Rule(
        "A server says something else than the lock",
        "What a server lists, or how it is reached, is not what was reviewed. `mcplock update` "
        "takes what it says now into the lock, for review.",
        _HIGH,
    ),
    "unreviewed": Rule(
        "An entry of the lock waits for review",
        "Nobody approved this text yet, or it changed since. " + _READ,
        _HIGH,
    ),
    "unlocked": Rule(
        "A server of the manifest is not in the lock",
        "`mcplock install` asks it what it lists and locks that, for review.",
        _HIGH,
    ),
    "form": Rule(
        "The lock is not as mcplock writes it",
        "The file reads well but was edited by hand or by another program. `mcplock install` "
        "writes it anew.",
        _MEDIUM,
    ),
    "decision": Rule(
        "A decision since the base revision",
        "An approval, a lifted denial, a source or a policy that this branch brings. Whoever "
        "reviews the branch answers for it.",
        _INFO,
    ),
    "unreachable": Rule(
        "A server gave no whole answer",
        "It could not be started or reached, or its listing broke off. This is an outage, and "
        "says nothing about what the server lists.",
        _MEDIUM,
    ),
    "unresolved": Rule(
        "A server cannot be started as the manifest has it",
        "A variable is not set, or a value looks like a secret. Set the variable where mcplock "
        "runs.",
        _MEDIUM,
    ),
    "untrusted": Rule(
        "A server may not be started on this machine",
        "Starting it runs somebody's code. `mcplock trust` lets this machine start it, "
        "`mcplock check --trust-sources` one run on a branch that was reviewed.",
        _MEDIUM,
    ),
    "issue": Rule(
        "Something is odd about a server or one of its entries",
        "It does not keep the others from being judged.",
        _LOW,
    ),
    "error": Rule(
        "Nothing could be judged",
        "A file cannot be read, or the command line asks for what does not exist.",
        _MEDIUM,
    ),
    "denied-before": Rule(
        "Something that was denied is back elsewhere",
        "The same text was denied under another name or at another server, or the same name at a "
        "server that is reached in the same way. " + _READ,
        _HIGH,
    ),
    "hidden-character": Rule(
        "Characters that do not show",
        "An agent reads what a reviewer cannot see. " + _READ,
        _HIGH,
    ),
    "bidirectional": Rule(
        "Characters that turn the direction of text",
        "The text reads otherwise than it is stored. " + _READ,
        _HIGH,
    ),
    "terminal-escape": Rule(
        "Control characters",
        "They can move the cursor of a terminal and hide what is printed. " + _READ,
        _HIGH,
    ),
    "mixed-script": Rule(
        "A name that mixes scripts",
        "Letters of scripts that do not belong together can imitate another name. " + _READ,
        _HIGH,
    ),
    "look-alike": Rule(
        "A name that reads like another one",
        "An agent or a reviewer may take it for the other tool or server. " + _READ,
        _HIGH,
    ),
    "unpinned": Rule(
        "A package without a fixed version",
        "Each start may fetch and run another version. Name one in the manifest.",
        _MEDIUM,
    ),
    "plain-http": Rule(
        "A URL without encryption",
        "What the server answers can be changed on the way. Use `https`.",
        _MEDIUM,
    ),
    "known-hole": Rule(
        "A version with a known hole",
        "This version of the package is known to be dangerous. Name a later one in the manifest.",
        _HIGH,
    ),
    "download-run": Rule(
        "A download that is run at once",
        "Each start may run something else, which nobody has read. " + _READ,
        _HIGH,
    ),
    "loaded-code": Rule(
        "A variable that loads code into the program",
        "What runs is not only what the command names. " + _READ,
        _HIGH,
    ),
    "wide-gap": Rule(
        "Blanks that push text out of sight",
        "What stands behind them is easily overlooked. " + _READ,
        _HIGH,
    ),
    "inline-code": Rule(
        "A program in an argument",
        "A shell or an interpreter runs what stands there. Read the whole of it.",
        _MEDIUM,
    ),
    "search-path": Rule(
        "A search path that is not absolute",
        "Programs or libraries are taken from where the server runs. Name whole directories.",
        _MEDIUM,
    ),
    "privileged": Rule(
        "More rights than a server needs",
        "It runs as another user, or in a container that has the whole machine.",
        _MEDIUM,
    ),
    "tool-name": Rule(
        "A name that the specification advises against",
        "Names of tools should have 1 to 128 ASCII letters, digits, `_`, `-` and `.`. With "
        "others, such as spaces or accents, two names can hardly be told apart, and exports "
        "rename the tool.",
        _LOW,
    ),
    "empty-description": Rule(
        "A definition without a description",
        "An agent cannot tell what it is for. Ask the author of the server for one.",
        _LOW,
    ),
    "remote-reference": Rule(
        "A schema that refers to another document",
        "What stands there is not in the lock and can change. mcplock does not fetch it.",
        _MEDIUM,
    ),
    "schema-defect": Rule(
        "Something in a schema that JSON Schema does not know",
        "Each reader makes something else of it. mcplock checks arguments as far as it is sound.",
        _LOW,
    ),
    "schema-type": Rule(
        "A schema that does not say its type",
        "Providers refuse such schemas or read them differently. Exports write `object`.",
        _LOW,
    ),
}


def rule(name: str) -> Rule:
    """What is known of the rule called `name`."""
    return RULES.get(name) or Rule(name, "See what is said of it at its place.", _INFO)
