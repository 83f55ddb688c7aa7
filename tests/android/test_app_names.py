from __future__ import annotations

from distrl_android_adb.apps import App, find_app, guess, launch_trouble, read_apps, read_component, read_launchers

LISTED = """2 activities found:
  Activity #0:
    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false
    ActivityInfo:
      name=com.android.settings.Settings
      packageName=com.android.settings
      labelRes=0x7f120e3b nonLocalizedLabel=null icon=0x0 banner=0x0
      ApplicationInfo:
        packageName=com.android.settings
        labelRes=0x7f120e3b nonLocalizedLabel=null icon=0x7f080145 banner=0x0
  Activity #1:
    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false
    ActivityInfo:
      name=org.example.shop.MainActivity
      packageName=org.example.shop
      labelRes=0x0 nonLocalizedLabel=My Shop icon=0x0 banner=0x0
"""


def test_labels_come_from_the_phone_or_from_what_stock_android_says() -> None:
    assert read_apps(LISTED) == (App("org.example.shop", "My Shop"), App("com.android.settings", "Settings"))


def test_a_users_own_names_win() -> None:
    apps = read_apps(LISTED, {"org.example.shop": "Zoo"})

    assert apps == (App("com.android.settings", "Settings"), App("org.example.shop", "Zoo"))


def test_the_brief_list_is_read_too() -> None:
    brief = "2 activities found:\n  priority=0 match=0x0\n  org.example.mail/.Main\n  org.example.app/org.other.Start\n"

    assert [app.package for app in read_apps(brief)] == ["org.example.app", "org.example.mail"]


def test_a_name_is_guessed_from_the_last_word_that_says_something() -> None:
    assert guess("org.example.notes.app") == "Notes"
    assert guess("com.google.android.deskclock") == "Clock"
    assert guess("android") == "Android"


def test_an_app_is_found_by_label_or_package_whatever_the_case() -> None:
    apps = read_apps(LISTED)

    assert find_app(apps, "my shop") == find_app(apps, "ORG.EXAMPLE.SHOP") == App("org.example.shop", "My Shop")
    assert find_app(apps, "shop") is None


def test_the_launcher_activity_is_the_last_line_with_a_slash() -> None:
    assert read_component("priority=0 preferredOrder=0\ncom.example/.Main\n") == "com.example/.Main"
    assert read_component("No activity found\n") == ""
    assert read_component("priority=0\nandroid/com.android.internal.app.ResolverActivity\n") == ""


def test_the_launcher_activity_is_found_in_the_packages_own_dump() -> None:
    dump = (
        "Activity Resolver Table:\n"
        "  Non-Data Actions:\n"
        "      android.intent.action.MAIN:\n"
        "        6a5e2d5 com.example/.Start filter 7f4c\n"
        '          Action: "android.intent.action.MAIN"\n'
        '          Category: "android.intent.category.LAUNCHER"\n'
    )

    assert read_launchers(dump, "com.example") == "com.example/.Start"
    assert read_launchers(dump, "com.exam") == ""


def test_a_failed_start_is_told_by_its_text_not_by_its_code() -> None:
    assert launch_trouble("Error: Activity not started, unable to resolve Intent { act=VIEW }\n").startswith("Error: ")
    assert launch_trouble("Starting: Intent { }\nError type 3\n") == "Error type 3"
    assert launch_trouble("java.lang.SecurityException: Permission Denial\n") != ""
    assert launch_trouble("** Monkey aborted due to error.\n") != ""


def test_an_app_that_was_already_there_has_started() -> None:
    text = (
        "Starting: Intent { cmp=com.example/.Main }\n"
        "Warning: Activity not started, its current task has been brought to the front\n"
        "Status: ok\n"
    )

    assert launch_trouble(text) == ""
