"""simphone: the phone that ships with the SDK. Its state is a value; one layout is both UI tree and pixels.

    state.py    what a phone is at one moment; every change makes a new value
    apps/       one app a file: its records, its pages, how it reacts
    page.py     stacks widgets into a page, in the phone's style; wording/ says its labels
    scene.py    state -> what is on the screen, and where
    engine.py   (state, action) -> state; popups.py and faults.py: what chance adds
    paint/      scene -> picture
    phone.py    the Device around it; source.py: the fleet spec `sim:`
    families/   kinds of tasks: wordings, parameters, checks, the way of the scripted expert
    tasks.py    the task sets general, webshop and demo with their splits; audit.py checks them

Nothing here knows a policy, a learner or a socket.
"""
