"""What version 2 of the phone's software calls what version 1 calls otherwise."""

from __future__ import annotations

RENAMED = {
    "Save": "Done",
    "Send": "Submit",
    "Delete": "Remove",
    "Add alarm": "New",
    "Add contact": "Create",
    "New message": "Compose",
    "Search": "Find",
    "Install": "Get",
    "Uninstall": "Remove app",
    "Add to cart": "Put in basket",
    "View cart": "Basket",
    "Network": "Connections",
    "Connected devices": "Nearby devices",
    "Sound": "Sounds and vibration",
    "Cancel": "Keep",
    "Folders": "Mailboxes",
    "Write": "Draft",
    "Reply": "Answer",
    "Forward": "Pass on",
    "New note": "Take a note",
    "Pin": "Keep on top",
    "New event": "Schedule",
    "Reminder": "Alert",
    "Sort": "Order",
    "New folder": "Make a folder",
    "Rename": "Change name",
}
