"""Other words for the same thing, as people use them who do not know a tool's own words.

General English of files, programs, the web, offices and shops; nothing of any particular
server. A line is a group: each of its words leads to all others.
"""

from collections.abc import Mapping
from functools import cache

from mcplock.records import NamedTuple
from mcplock.search.words import stem

_FORMS = """
write wrote written
send sent
find found
make made
build built
run ran
get got
take took taken
give gave given
buy bought
sell sold
pay paid
keep kept
choose chose chosen
hide hidden
say said
speak spoke spoken
know knew known knowledge
draw drew drawn
person people
child children
index indices
analysis analyse analyze
summary summarize summarise
convert conversion
compare comparison
config configure configuration
auth authenticate authentication
colour color
"""
_SAME = """
list enumerate
create make generate build produce
run execute
stop end kill terminate
undo revert reset rollback
folder directory dir
picture image photo pic
movie film
mail email
repository repo
website site webpage
internet web online
doc document
docs documentation
spreadsheet excel workbook worksheet sheet xlsx
presentation powerpoint deck slideshow ppt pptx
delete remove erase destroy discard
company firm business corporation
car vehicle automobile
trip travel journey
song music track
subtitle caption transcript
bug issue ticket
translate translation
calc calculate compute calculator
database db sql
login signin
config setting preference
dependency dep
info information detail metadata
param parameter argument
env environment
app application
msg message
admin administrator
todo task
house home
lawyer attorney
doctor physician
medicine drug medication
shop store
dialog popup alert modal
relation relationship link connection association edge
node entity vertex
tag label
pwd cwd
password passphrase
exception error
screenshot screengrab
js javascript
ts typescript
py python
k8s kubernetes
postgres postgresql
pause wait sleep delay
zip compress gzip archive
revision commit
modification change
mouse pointer cursor
latitude lat
longitude lng lon
coordinate geocode
phone telephone mobile
channel room
"""
_NEAR = """
get fetch retrieve read show view obtain load look access
see view show display look print inspect
list enumerate show all available browse exist
search find lookup query discover locate grep
create make add new generate insert build produce write compose draft
add append insert put attach include
update edit modify change set rename replace alter patch
delete clear drop trash purge forget clean strip wipe
send post submit share publish upload
attach upload
run execute start launch invoke
stop end kill terminate close cancel quit abort shutdown
finish complete done mark resolve
convert transform turn export translate
check verify validate test inspect
compare difference diff versus
diff change patch modification
download save fetch retrieve
slide presentation
save store keep write persist
open navigate visit go
scrape crawl extract fetch
restore undo recover
accept dismiss confirm handle deny
merge combine join concatenate
split divide separate break cut
allow permit permission allowed access
deprecate obsolete outdated
legal valid allowed
relate link connect associate attach
chart graph plot diagram visualization draw figure
draw paint sketch canvas
forecast weather temperature climate
page website webpage url html
link url address hyperlink
paper article publication study research literature
scientific academic arxiv
route direction path navigation drive map
meeting event appointment calendar schedule
history past previous log historical
error log message warning failure problem crash debug console
today current now latest date time
latest recent newest new last
person user contact profile member
people user entity
sum total add plus
math calculation arithmetic equation number
number integer count
screen screenshot capture snapshot
train railway rail station
flight plane airline airport
hotel accommodation apartment room lodging stay holiday rent rental
food meal recipe cook dish eat dinner lunch breakfast restaurant
money currency dollar euro exchange price cost rate payment
price cost value quote worth
stock equity share ticker market
crypto bitcoin ethereum coin token
news headline story
remember memory note remind store observation save
note memo write
fact knowledge entity observation
password secret credential token key
protect lock encrypt secure
shell terminal command console process bash
process program
code source program script
package library module dependency framework
text content string phrase
field form input
button click press
type enter input key press keyboard keystroke
disease cancer illness condition medical
mutation variant
museum art painting artwork
video youtube
image vision
place location city address nearby near point
address street
size dimension width height length bytes big large small heavy biggest largest smallest
move drag
tab window
theme style appearance
dark light theme scheme
dropdown select option choose pick
question answer ask query
problem question issue
reason think thought reflect
idea brainstorm think
chat message conversation
team group member
file attachment
file document disk
comment reply review remark feedback
rank ranking top trending popular hot best
score rating
random dice
row record entry item page
column property attribute field
table database
data information record
network request http traffic call
repeat echo
everything all entire whole complete
several multiple many batch bulk
once simultaneously together
folder path
word docx
cloud container docker
deploy release
branch fork
rename move
touch modify
enable disable toggle
png jpg jpeg gif image
mp3 wav audio
mp4 video
csv table spreadsheet
txt text
pull get fetch
fix repair correct edit
tick check checkbox click select
user username account login
remember know recall memory
reply comment respond answer
lately recent
begin start
switch checkout change
discussion thread comment
post create submit
put replace update
speech voice audio sound
transcribe transcript speech
crop resize scale
thumbnail preview
distance far near radius
school university education
profit revenue income earning
predict prediction forecast
recommend suggest advice
holiday vacation
game match play player
league tournament
leaderboard ranking standings top rank
recipe ingredient
citation reference
heading title header
font typeface
tree hierarchy structure outline
percentage proportion share ratio
frequency distribution histogram
process flow step workflow
trend popularity popular
license licence
maintainer author owner creator
vulnerability security exploit
version release
changelog release note
abstract summary
article post story
domain dns host
icon symbol logo
component widget ui
animation effect motion transition
shuffle randomize random
sample pick choose random
project workspace
assign assignee owner
deadline due
subscribe follow watch
star favorite like bookmark
wallet account balance
order purchase buy
cart basket
invoice bill
customer client
employee staff
cron schedule timer job
metric statistic stats monitor usage
alert notification
backup copy clone duplicate
pod container
bucket storage blob
role permission access
schema structure model
export dump
import load ingest
semantic similar related
language translate
sentiment mood emotion
label category tag
group category class
archive compress
describe explain description
rest remaining left
"""


class Related(NamedTuple):
    """Words that can stand for one: stems, and how near they are, below 1.

    same: they say what it says. near: they often mean it too.
    """

    same: dict[str, float]
    near: dict[str, float]


@cache
def related() -> Mapping[str, Related]:
    """By stem, the other words for it."""
    found: dict[str, Related] = {}
    for text, nearness in ((_NEAR, 0.4), (_SAME, 0.6), (_FORMS, 0.9)):
        for line in text.strip().splitlines():
            group = dict.fromkeys(map(stem, line.split()), nearness)
            for word in group:
                kinds = found.setdefault(word, Related({}, {}))
                (kinds.near if text is _NEAR else kinds.same).update(group)
    for word, kinds in found.items():
        for other in (word, *kinds.same):
            kinds.near.pop(other, None)
        kinds.same.pop(word, None)
    return found
