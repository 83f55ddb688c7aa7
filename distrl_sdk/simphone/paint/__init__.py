"""Scene -> picture, with Pillow; a widget that was drawn once is pasted from then on.

theme.py      colours
lettering.py  lines of text, from two fonts
pen.py        shapes and text in logical pixels, at any scale
looks.py      one painter a look; controls.py and figures.py hold those of controls and of pictures
picture.py    the whole screen
"""
