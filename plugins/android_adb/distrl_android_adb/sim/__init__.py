"""Simulated Androids: drawn phones behind the real ADB protocol, driven by a real adb server.

packets, stream, connection, services, filesync and console speak the protocol; shellwords and shell are the device's
shell, programs/ what it can run; android is one phone, shelf several of them on ports.
"""
