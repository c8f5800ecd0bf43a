"""Headless Chromium, driven by its DevTools protocol over a pair of pipes. Needs nothing but Python's own library."""
import base64
import json
import os
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib


def find():
    """The program, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    """One page. `problems` collects what it writes to the console as an error, exceptions, and requests beyond its own file or
    server."""

    def __init__(self, program, timeout=60):
        self.timeout = timeout
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self.to_browser = os.pipe()
        self.from_browser, answers = os.pipe()
        # The browser has its commands as file 3 and gives its answers as file 4.
        shell = f'exec "$@" 3<&{commands} 4>&{answers}'
        self.process = subprocess.Popen(
            ["sh", "-c", shell, "sh", program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
             f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(commands, answers), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.buffer = b""
        self.events = []
        self.problems = []
        self.allowed = ()  # how addresses begin
        self.count = 0
        self.session = None
        self._attach()

    def _attach(self):
        pages = [t for t in self.send("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        self.session = self.send("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def close(self):
        try:
            self.session = None
            self.send("Browser.close")
            self.process.wait(10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.profile.cleanup()

    def send(self, method, **params):
        """The result of a command."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def wait_for(self, event):
        """Until it has come since the last call that waited for it."""
        while event not in self.events:
            self._receive()
        self.events.remove(event)

    def _receive(self):
        end = time.monotonic() + self.timeout
        while b"\0" not in self.buffer:
            if not select.select([self.from_browser], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            data = os.read(self.from_browser, 1 << 20)
            if not data:
                raise OSError("Chromium has ended")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        if "method" in message:
            self._note(message["method"], message["params"])
        return message

    def _note(self, event, params):
        self.events.append(event)
        if event == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        if event == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.problems.append(f"console: {params['args']}")
        if event == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.problems.append(f"log: {params['entry']['text']}")
        if event == "Network.requestWillBeSent" and not params["request"]["url"].startswith(self.allowed):
            self.problems.append(f"request: {params['request']['url'][:200]}")

    def load(self, path):
        self.open("file://" + os.path.abspath(path))

    def open(self, url):
        """A page, which may ask for what is below its own address."""
        self.allowed = (*self.allowed, url)
        self.events.clear()
        self.send("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired")

    def evaluate(self, expression):
        """The value of an expression in the page; promises are waited for."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def frame(self):
        """Until the page has drawn what is due."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")

    def set_screen(self, width, height, is_phone=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if is_phone else 1,
                  mobile=is_phone)
        self.send("Emulation.setTouchEmulationEnabled", enabled=is_phone)
        self.frame()

    def prefer(self, scheme):
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def click_on(self, selector):
        box = self.evaluate(f"""(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
        self.click(*box)

    def choose_file(self, selector, path):
        """Of an input of files."""
        root = self.send("DOM.getDocument")["root"]["nodeId"]
        node = self.send("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.send("DOM.setFileInputFiles", files=[os.path.abspath(path)], nodeId=node)

    def tap(self, x, y):
        self.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def drag(self, x, y, by_x, by_y, steps=10):
        self.send("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
        for step in range(1, steps + 1):
            self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x + by_x * step / steps, y=y + by_y * step / steps, button="left")
        self.send("Input.dispatchMouseEvent", type="mouseReleased", x=x + by_x, y=y + by_y, button="left", clickCount=1)

    def wheel(self, x, y, delta):
        self.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta)

    def key(self, key, text=None):
        codes = {"Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40}
        text = text if text is not None else key if len(key) == 1 else "\r" if key == "Enter" else ""
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, windowsVirtualKeyCode=codes.get(key, ord(key[0].upper())))
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=codes.get(key, ord(key[0].upper())))

    def type(self, text):
        self.send("Input.insertText", text=text)

    def screenshot(self, scale=1):
        """The bytes of a PNG."""
        width, height = self.evaluate("[innerWidth, innerHeight]")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
        return base64.b64decode(self.send("Page.captureScreenshot", format="png", clip=clip)["data"])


def pixels(png):
    """Width, height, and rows of (r, g, b) of a PNG of 8 bits, RGB or RGBA, not interlaced."""
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", png[16:29])
    assert depth == 8 and colour in (2, 6) and not interlace
    data, at = b"", 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += size + 12
    data = zlib.decompress(data)
    step = 3 if colour == 2 else 4
    stride = width * step
    rows, before = [], bytes(stride)
    for y in range(height):
        row = bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        unfilter(data[y * (stride + 1)], row, before, step)
        rows.append([tuple(row[x:x + 3]) for x in range(0, stride, step)])
        before = row
    return width, height, rows


def unfilter(kind, row, before, step):
    for i in range(len(row)):
        left = row[i - step] if i >= step else 0
        corner = before[i - step] if i >= step else 0
        if kind == 1:
            row[i] = (row[i] + left) & 255
        elif kind == 2:
            row[i] = (row[i] + before[i]) & 255
        elif kind == 3:
            row[i] = (row[i] + (left + before[i]) // 2) & 255
        elif kind == 4:
            guess = left + before[i] - corner
            best = min((abs(guess - left), 0, left), (abs(guess - before[i]), 1, before[i]), (abs(guess - corner), 2, corner))
            row[i] = (row[i] + best[2]) & 255
