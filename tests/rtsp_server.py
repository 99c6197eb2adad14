"""A network camera for the tests, by RTSP on 127.0.0.1: PORT [VIDEO WIDTH HEIGHT].

A moving picture, or the first picture of a video, held, in a size. SIGUSR1 makes that one darker.
"""

import signal
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

PATTERN = "videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=240,framerate=25/1"
HELD = (
    "filesrc location={} ! decodebin ! videoconvert ! imagefreeze is-live=true ! videobalance name=light"
    " ! videoscale ! video/x-raw,width={},height={},framerate=15/1"
)

Gst.init(None)
port, *video = sys.argv[1:]
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(port)
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(
    f"( {HELD.format(*video) if video else PATTERN}"
    " ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=10 ! rtph264pay name=pay0 pt=96 )"
)
factory.set_shared(True)
lights = []
factory.connect("media-configure", lambda _, media: lights.append(media.get_element().get_by_name("light")))


def darken():
    lights[-1].set_property("brightness", -0.2)
    return True


GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, darken)
server.get_mount_points().add_factory("/camera", factory)
server.attach(None)
print("ready", flush=True)
GLib.MainLoop().run()
