"""What can be set on a phone: one table of switches, levels and choices, by section."""

from __future__ import annotations

from typing import NamedTuple


class Setting(NamedTuple):
    """One thing that can be set. Without options it is a switch."""

    key: str
    label: str
    section: str
    """'' = on the first page itself."""
    options: tuple[str, ...] = ()


LEVELS = tuple(f"{percent}%" for percent in range(10, 101, 10))
_TONES = (
    "Bamboo", "Beacon", "Chimes", "Cosmic", "Crystal", "Marimba", "Opening", "Pebbles", "Radar", "Ripple", "Sencha",
    "Silk", "Summit", "Twilight", "Uplift", "Waves",
)  # fmt: skip
_SIZES = ("Small", "Default", "Large", "Largest")

TABLE = (
    Setting("airplane", "Airplane mode", ""),
    Setting("wifi", "Wi-Fi", "Network"),
    Setting("mobile_data", "Mobile data", "Network"),
    Setting("hotspot", "Hotspot", "Network"),
    Setting("data_saver", "Data saver", "Network"),
    Setting("roaming", "Roaming", "Network"),
    Setting("vpn", "VPN", "Network"),
    Setting("data_warning", "Data warning", "Network", ("1 GB", "2 GB", "5 GB", "10 GB", "20 GB")),
    Setting("bluetooth", "Bluetooth", "Connected devices"),
    Setting("nfc", "NFC", "Connected devices"),
    Setting("cast", "Screen cast", "Connected devices"),
    Setting("nearby", "Nearby share", "Connected devices"),
    Setting("dark_mode", "Dark mode", "Display"),
    Setting("brightness", "Brightness", "Display", LEVELS),
    Setting("adaptive", "Adaptive brightness", "Display"),
    Setting("night_light", "Night light", "Display"),
    Setting("night_strength", "Night light strength", "Display", LEVELS),
    Setting("rotate", "Auto rotate", "Display"),
    Setting("lift", "Lift to wake", "Display"),
    Setting("timeout", "Screen timeout", "Display",
            ("15 seconds", "30 seconds", "1 minute", "2 minutes", "5 minutes", "10 minutes", "30 minutes")),
    Setting("font", "Font size", "Display", _SIZES),
    Setting("display_size", "Display size", "Display", _SIZES),
    Setting("refresh", "Refresh rate", "Display", ("60 Hz", "90 Hz", "120 Hz")),
    Setting("wallpaper", "Wallpaper", "Display",
            ("Aurora", "Canyon", "Dunes", "Forest", "Glacier", "Lagoon", "Meadow", "Nebula", "Reef")),
    Setting("media_volume", "Media volume", "Sound", LEVELS),
    Setting("call_volume", "Call volume", "Sound", LEVELS),
    Setting("ring_volume", "Ring volume", "Sound", LEVELS),
    Setting("notice_volume", "Notification volume", "Sound", LEVELS),
    Setting("alarm_volume", "Alarm volume", "Sound", LEVELS),
    Setting("vibrate", "Vibrate for calls", "Sound"),
    Setting("vibration", "Vibration strength", "Sound", LEVELS),
    Setting("touch_sounds", "Touch sounds", "Sound"),
    Setting("charging_sounds", "Charging sounds", "Sound"),
    Setting("ringtone", "Ringtone", "Sound", _TONES),
    Setting("notice_tone", "Notification sound", "Sound", _TONES),
    Setting("alarm_tone", "Alarm sound", "Sound", _TONES),
    Setting("do_not_disturb", "Do not disturb", "Notifications"),
    Setting("badges", "Icon badges", "Notifications"),
    Setting("bubbles", "Chat bubbles", "Notifications"),
    Setting("lock_alerts", "Lock screen alerts", "Notifications"),
    Setting("battery_saver", "Battery saver", "Battery"),
    Setting("percentage", "Battery percentage", "Battery"),
    Setting("adaptive_battery", "Adaptive battery", "Battery"),
    Setting("location", "Location", "Privacy"),
    Setting("camera", "Camera access", "Privacy"),
    Setting("microphone", "Microphone access", "Privacy"),
    Setting("find_phone", "Find my phone", "Privacy"),
    Setting("statistics", "Usage statistics", "Privacy"),
    Setting("cleanup", "Automatic cleanup", "Storage"),
    Setting("download_wifi", "Download over Wi-Fi only", "Storage"),
    Setting("language", "Language", "System",
            ("Arabic", "Danish", "Dutch", "English", "Finnish", "French", "German", "Greek", "Hindi", "Italian",
             "Japanese", "Korean", "Norwegian", "Polish", "Portuguese", "Spanish", "Swedish", "Turkish")),
    Setting("updates", "Automatic updates", "System"),
    Setting("clock24", "24 hour clock", "System"),
    Setting("time_zone", "Time zone", "System", tuple(f"UTC{hours:+d}" for hours in range(-8, 13))),
    Setting("week", "First day of the week", "System", ("Monday", "Saturday", "Sunday")),
    Setting("layout", "Keyboard layout", "System", ("QWERTY", "QWERTZ", "AZERTY", "Dvorak", "Colemak")),
    Setting("one_handed", "One-handed mode", "System"),
    Setting("captions", "Live captions", "Accessibility"),
    Setting("magnify", "Magnifier", "Accessibility"),
    Setting("invert", "Invert colours", "Accessibility"),
    Setting("mono", "Mono sound", "Accessibility"),
    Setting("contrast", "Contrast", "Accessibility", LEVELS),
    Setting("speech", "Speech rate", "Accessibility", LEVELS),
    Setting("touch", "Touch sensitivity", "Accessibility", LEVELS),
)  # fmt: skip

BY_KEY = {setting.key: setting for setting in TABLE}
SECTIONS = tuple(dict.fromkeys(setting.section for setting in TABLE if setting.section))
