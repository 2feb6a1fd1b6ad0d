"""Other words for the same thing, as people use them who do not know a tool's own words.

General English of files, the web, offices and shops; nothing of any particular server.
"""

from collections.abc import Mapping
from functools import cache

from mcplock.search.words import stem

_SAME = """
folder directory
picture image photo
movie film
mail email
repo repository
website site
internet web online
doc document
docs documentation
spreadsheet excel workbook worksheet sheet
slide presentation powerpoint deck
delete remove erase destroy
company firm business corporation
car vehicle automobile
trip travel journey
song music track
subtitle caption transcript
bug issue ticket
pic picture
analyze analyse analysis
summary summarize summarise
translate translation
calc calculate compute calculator
database db sql
authentication auth login
config configuration setting
dependency dep
info information detail
param parameter argument
env environment
app application
msg message
admin administrator
colour color
todo task
house home
lawyer attorney
doctor physician
medicine drug medication
shop store
"""
_NEAR = """
get fetch retrieve read show view obtain load look access
list enumerate show all available browse
search find lookup query discover locate
create make add new generate insert build produce write
update edit modify change set rename replace alter
send post submit share publish upload
run execute start launch invoke
stop end kill terminate close cancel quit abort
convert transform turn export translate conversion
check verify validate test inspect
compare difference diff versus
download save
open navigate visit go
undo revert restore reset rollback
merge combine join concatenate
split divide separate
chart graph plot diagram visualization draw
draw paint sketch canvas
forecast weather temperature climate
page webpage website url link html
paper article publication study research literature
scientific academic arxiv
route direction path navigation drive map
meeting event appointment calendar schedule
history past previous log historical
today current now latest
latest recent newest new last
person people user contact profile
sum total add plus
math calculation arithmetic equation number
screen screenshot capture
train railway rail station
flight plane airline airport
hotel accommodation apartment room lodging stay holiday rent rental
food meal recipe cook dish eat dinner lunch breakfast restaurant
money currency dollar euro exchange price cost rate payment
price cost value quote
stock equity share ticker market
crypto bitcoin ethereum coin token
news headline story
remember memory note remind store observation
fact knowledge entity observation
password secret credential token key
shell terminal command console process
code source program script
package library module dependency
text content string
field form input
button click press
disease cancer illness condition medical
museum art painting artwork
video youtube
image vision
place location city address nearby near
question answer ask
idea brainstorm think
chat message conversation
team group member
file attachment
comment reply review
rank ranking top trending popular hot best
score rating
"""


@cache
def related() -> Mapping[str, Mapping[str, float]]:
    """By stem, the stems of other words for the same thing, and how near they are, below 1."""
    found: dict[str, dict[str, float]] = {}
    for text, nearness in ((_NEAR, 0.2), (_SAME, 0.5)):
        for line in text.strip().splitlines():
            group = dict.fromkeys(map(stem, line.split()), nearness)
            for word in group:
                found.setdefault(word, {}).update(group)
    for word, others in found.items():
        del others[word]
    return found
