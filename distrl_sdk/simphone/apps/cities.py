"""Cities of the world clock, by name, and how many hours each is ahead of UTC in winter."""

from __future__ import annotations

CITIES = {
    "Accra": 0, "Algiers": 1, "Ankara": 3, "Athens": 2, "Auckland": 13, "Baku": 4, "Bangkok": 7, "Barcelona": 1,
    "Beijing": 8, "Belgrade": 1, "Berlin": 1, "Bogota": -5, "Boston": -5, "Bratislava": 1, "Brisbane": 10,
    "Brussels": 1, "Bucharest": 2, "Budapest": 1, "Cairo": 2, "Calgary": -7, "Caracas": -4, "Casablanca": 1,
    "Chicago": -6, "Copenhagen": 1, "Dakar": 0, "Dallas": -6, "Denver": -7, "Dhaka": 6, "Dubai": 4, "Dublin": 0,
    "Geneva": 1, "Hanoi": 7, "Harare": 2, "Havana": -5, "Helsinki": 2, "Istanbul": 3, "Jakarta": 7,
    "Karachi": 5, "Kyiv": 2, "Lagos": 1, "Lima": -5, "Lisbon": 0, "Ljubljana": 1, "London": 0, "Madrid": 1,
    "Manila": 8, "Melbourne": 11, "Miami": -5, "Montreal": -5, "Moscow": 3, "Nairobi": 3, "Osaka": 9, "Oslo": 1,
    "Ottawa": -5, "Paris": 1, "Perth": 8, "Prague": 1, "Quito": -5, "Reykjavik": 0, "Riga": 2, "Rome": 1,
    "Santiago": -3, "Seattle": -8, "Seoul": 9, "Shanghai": 8, "Singapore": 8, "Sofia": 2, "Stockholm": 1,
    "Sydney": 11, "Taipei": 8, "Tallinn": 2, "Tokyo": 9, "Toronto": -5, "Tunis": 1, "Vienna": 1, "Vilnius": 2,
    "Warsaw": 1, "Zagreb": 1, "Zurich": 1,
}  # fmt: skip
