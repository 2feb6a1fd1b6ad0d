"""What some words mean together, and commands of the shell in words."""

from collections.abc import Mapping
from functools import cache

_COMMANDS = """
ls: list directory
dir: list directory
mkdir: create directory
rmdir: delete directory
rm: delete file
mv: move file
cp: copy file
cat: read file
touch: create file
stat: file info
du: directory sizes
df: disk space
pwd: current directory
cd: change directory
chmod: file permissions
grep: search text
sed: replace text
head: first lines
tail: last lines
ps: list processes
pkill: kill process
curl: fetch url
wget: download url
ping: host network
ssh: remote connect
tar: compress archive
unzip: extract archive
env: environment variables
whoami: current user
google: search web
tweet: post message
which: list
"""
_PHRASES = """
may i: allowed
version control: git commit
go to: navigate
who am i: current user self
my account: current user self
how big: size
how large: size
how many: count
how long: duration
how much: price
how far: distance route
how old: age
what time: current time
where is: location
where are: location
who wrote: author
look up: search
look for: search
get rid of: delete
throw away: delete
throw out: delete
take back: undo
roll back: undo
bring back: restore
go back: navigate back
spin up: create
fire up: start
set up: create
shut down: stop
tear down: stop
turn into: convert
turn off: disable
turn on: enable
turn down: deny
write down: save note
note down: save note
jot down: save note
put together: merge
break apart: split
break up: split
cut up: split
fill in: fill
fill out: fill
sign in: login
log in: login
sign up: register
log out: logout
show up: appear
pop up: dialog
mouse over: hover
scroll over: hover
click on: click
clean up: clean
back up: backup
find out: search
check out: checkout
"""


@cache
def phrases() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Words that mean something together, and the words that this could be said with."""
    return _read(_PHRASES)


@cache
def commands() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """First words of a query, which is short for more, and the words it is short for."""
    return _read(_COMMANDS)


def _read(text: str) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    pairs = (line.split(": ") for line in text.strip().splitlines())
    return {tuple(words.split()): tuple(meant.split()) for words, meant in pairs}
