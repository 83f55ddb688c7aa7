"""simphone: the phone that ships with the SDK. Its state is a value; one layout is both UI tree and pixels.

    state.py    what a phone is at one moment; every change makes a new value
    apps/       one app a file: its records, its pages, how it reacts
    scene.py    state -> what is on the screen, and where
    engine.py   (state, action) -> state
    paint/      scene -> picture
    phone.py    the Device around it; source.py: the fleet spec `sim:`
    tasks/      the task set `general`, with its scripted expert

Nothing here knows a policy, a learner or a socket.
"""
