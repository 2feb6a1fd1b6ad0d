"""The skeleton of a name: two names with one skeleton look alike.

In the manner of UTS 39, section 4, with a compact table of the letters that read as Latin.
The table is fixed text; `unicodedata` serves with its frozen copy of Unicode 3.2 only.
"""

from unicodedata import ucd_3_2_0

from mcplock.text import HIDDEN

# Groups of characters, a colon, what each of the group reads as.
_TABLE = (
    # Cyrillic
    "а:a б:6 в:B г:r е:e ҽ:e з:3 і:i ј:j к:k ӏ:l м:M н:H п:n о:o р:p ԛ:q с:c ѕ:s т:T у:y ү:y "
    "ѵ:v ԝ:w ш:w х:x һ:h ԁ:d ь:b ӕ:ae А:A В:B Е:E З:3 К:K М:M Н:H О:O Р:P С:C Т:T У:Y Ү:Y Х:X "
    "Ѕ:S І:l Ј:J Ԛ:Q Ԝ:W Ѵ:V Ԍ:G Ӏ:l Ь:b Б:6 Ч:4 ч:4 Ӕ:AE Ԁ:d Һ:h "
    # Greek
    "α:a γ:y ε:e η:n ι:i κ:k ν:v ο:o ρ:p ϱ:p σ:o τ:t υ:u χ:x ω:w ϲ:c ϳ:j Α:A Β:B Ε:E Ζ:Z Η:H "
    "Ι:l Κ:K Μ:M Ν:N Ο:O Ρ:P Τ:T Υ:Y Χ:X Ϲ:C Ϻ:M Ϳ:J ϝ:f "
    # Armenian, Georgian
    "ա:w գ:q զ:q հ:h յ:j ո:n ռ:n ս:u ց:g օ:o ն:u լ:l Լ:L Ս:U Տ:S Օ:O Հ:h Ւ:l ჿ:o ყ:y "
    # Cherokee
    "Ꭰ:D Ꭱ:R Ꭲ:T Ꭵ:i Ꭺ:A Ꭻ:J Ꭼ:E Ꮃ:W Ꮇ:M Ꮋ:H Ꮍ:Y Ꮐ:G Ꮒ:h Ꮓ:Z Ꮟ:b Ꮢ:R Ꮤ:W Ꮥ:S Ꮩ:V Ꮪ:S Ꮮ:L "
    "Ꮯ:C Ꮲ:P Ꮶ:K Ꮷ:d Ᏻ:G Ᏼ:B "
    # Lisu, Coptic
    "ꓐ:B ꓑ:P ꓓ:D ꓔ:T ꓖ:G ꓗ:K ꓙ:J ꓚ:C ꓜ:Z ꓝ:F ꓟ:M ꓠ:N ꓡ:L ꓢ:S ꓣ:R ꓦ:V ꓧ:H ꓪ:W ꓫ:X ꓬ:Y ꓮ:A ꓰ:E "
    "ꓲ:l ꓳ:O ꓴ:U ⲁ:a ⲓ:i ⲕ:k ⲛ:n ⲟ:o ⲣ:p ⲥ:c ⲩ:y ⲭ:x Ⲃ:B Ⲉ:E Ⲏ:H Ⲓ:l Ⲕ:K Ⲙ:M Ⲛ:N Ⲟ:O Ⲣ:P Ⲥ:C "
    "Ⲧ:T Ⲩ:Y Ⲭ:X "
    # Latin letters drawn like others
    "ɑ:a ɡ:g ɢ:G ɩ:i ɪ:i ı:i ȷ:j ʙ:B ʜ:H ʟ:L ɴ:N ʀ:R ʏ:Y ᴀ:A ᴄ:c ᴅ:D ᴇ:E ᴊ:J ᴋ:k ᴍ:M ᴏ:o ᴘ:P ᴛ:T "
    "ᴜ:u ᴠ:v ᴡ:w ᴢ:z ꜱ:s ɋ:q ƒ:f ǀ:l I:l |:l 1:l 0:O m:rn Ɩ:l "
    # Hebrew, Arabic; the zeros of other scripts
    "\u05e1:o \u05d5:l \u05df:l \u0627:l \u0647:o \u0661:l \u06f1:l \u0665:o \u06f5:o "
    "\u07c0:o \u0966:o \u09e6:o \u0a66:o \u0ae6:o \u0b66:o \u0be6:o \u0c66:o \u0ce6:o \u0d66:o "
    "\u0e50:o \u0ed0:o \u1040:o \u17e0:o \u3007:O "
    # Hyphens, dots, slashes, low lines
    "‐:- ‑:- ‒:- –:- —:- ―:- −:- ⁃:- ー:- ․:. ·:. ・:. ‧:. ∙:. ⁄:/ ∕:/ ⧸:/ ˍ:_ ‿:_"
)
_READS_AS = str.maketrans(dict(pair.split(":", 1) for pair in _TABLE.split(" ")))


def skeleton(name: str) -> str:
    """What `name` reads as: compatibility forms, hidden characters, look-alikes folded."""
    plain = HIDDEN.sub("", ucd_3_2_0.normalize("NFKD", name))
    return plain.translate(_READS_AS)
