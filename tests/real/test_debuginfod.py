# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Debug files from servers: only if asked for, and no task waits for them."""

import contextlib
import http.server
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(TESTS / "real"))

import marked  # noqa: E402
import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

FOLDER = tempfile.TemporaryDirectory(prefix="tracer-servers-")
COUNTER = [0]


def needs_debuginfod():
    version = subprocess.run(
        [*tracing.tracer(), "--version"], capture_output=True, text=True, check=True
    ).stdout
    if "libdebuginfod" not in version:
        raise tap.Skip("built without libdebuginfod")


def fresh():
    COUNTER[0] += 1
    path = pathlib.Path(FOLDER.name) / str(COUNTER[0])
    path.mkdir()
    return path


class Server(http.server.ThreadingHTTPServer):
    """Serves {build-id: bytes}; counts connections and remembers what was asked."""

    daemon_threads = True

    def __init__(self, files, behaviour="good"):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = files
        self.behaviour = behaviour
        self.connections = 0
        self.asked = []
        self.release = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def process_request(self, request, client_address):
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request, client_address):
        """The client may go away at any time."""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        if self.server.behaviour == "silent":
            self.server.release.wait(tracing.PATIENCE)
            return
        data = self.server.files.get(self.path.split("/")[2])
        if data is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.server.behaviour == "slow":
            self.wfile.write(data[:100])
            self.wfile.flush()
            self.server.release.wait(tracing.PATIENCE)
            data = data[100:]
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def server(files, behaviour="good"):
    it = Server(files, behaviour)
    try:
        yield it
    finally:
        it.release.set()
        it.shutdown()
        it.server_close()


def stripped(folder):
    """(program, its build-id, the bytes of its debug file)"""
    path = marked.build(folder / "prog", "the_mark")
    debug = folder / "debug"
    marked.shell(f"objcopy --only-keep-debug {path} {debug} && objcopy --strip-all {path}")
    data = debug.read_bytes()
    debug.unlink()
    return path, marked.build_id(path), data


def environment(folder, **more):
    result = {key: value for key, value in os.environ.items() if "DEBUGINFOD" not in key}
    result["DEBUGINFOD_CACHE_PATH"] = str(folder / "cache")
    result.update(more)
    return result


def run(path, folder, *options, **variables):
    """The stack of one call, and the run."""
    it = marked.Run([path], options, env=environment(folder, **variables))
    it.ready()
    it.step()
    (stack,) = it.finish()
    return stack, it


def with_mark_of_end(path, folder):
    """A command that leaves a file when the program has ended."""
    return ["sh", "-c", f"{path}; echo >{folder}/ended"]


def close_input_and_wait(it, folder):
    it.process.stdin.close()
    it.process.stdin = None
    tracing.wait_until((folder / "ended").exists, "the program ends")


def is_named(stack):
    return any(frame.function == "the_mark" and frame.line for frame in stack)


def report(path, folder, *options, **variables):
    """What --explain-symbols says of a file."""
    done = subprocess.run(
        [*tracing.tracer(), "--explain-symbols", "--format=json", *options, path],
        capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
        env=environment(folder, **variables),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def from_server(entry, url):
    (found,) = [one for one in entry["tried"] if one["path"].startswith(url)]
    return found["reason"], found["text"]


def test_nothing_is_asked_without_the_option():
    folder = fresh()
    path, build_id, data = stripped(folder)
    with server({build_id: data}) as good:
        stack, _ = run(path, folder, DEBUGINFOD_URLS=good.url)
        assert not is_named(stack)
        entry = report(path, folder, DEBUGINFOD_URLS=good.url)
        assert entry["lines"] is None
        # A program with debug information whose alternate file is missing, as well.
        if shutil.which("dwz"):
            other, _, _ = stripped(fresh())
            (folder / "d").mkdir()
            (folder / "d/one").write_bytes(data)
            marked.build(folder / "d/two", "the_mark")
            marked.build(folder / "d/three", "the_mark")
            marked.shell(f"cd {folder}/d && dwz -m common two three && rm common")
            run(str(folder / "d/two"), folder, DEBUGINFOD_URLS=good.url)
            run(other, folder, DEBUGINFOD_URLS=good.url)
        assert good.connections == 0, good.asked


def test_good_server():
    needs_debuginfod()
    folder = fresh()
    path, build_id, data = stripped(folder)
    with server({build_id: data}) as good:
        stack, _ = run(path, folder, f"--debuginfod={good.url}")
        assert is_named(stack), good.asked
        assert f"/buildid/{build_id}/debuginfo" in good.asked
        asked = len(good.asked)
        # From its environment, and now from the cache.
        stack, _ = run(path, folder, "--debuginfod", DEBUGINFOD_URLS=good.url)
        assert is_named(stack)
        assert f"/buildid/{build_id}/debuginfo" not in good.asked[asked:]
        entry = report(path, fresh(), f"--debuginfod={good.url}")
        assert entry["names"]["section"] == ".symtab" and entry["lines"]


def test_json_waits_too():
    needs_debuginfod()
    folder = fresh()
    path, build_id, data = stripped(folder)
    with server({build_id: data}) as good:
        it = marked.Run(
            [path], [f"--debuginfod={good.url}", "--format=json"], env=environment(folder)
        )
        it.ready()
        it.step()
        it.finish()
        events = [json.loads(line) for line in it.text.splitlines()]
        frames = events[0]["stack"]
        assert "the_mark" in [frame.get("function") for frame in frames]
        assert [frame for frame in frames if not isinstance(frame, dict)] == []


def test_real_server():
    needs_debuginfod()
    requires.require(["command:debuginfod"])
    folder = fresh()
    path, build_id, data = stripped(folder)
    (folder / "files").mkdir()
    (folder / "files/prog.debug").write_bytes(data)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    real = subprocess.Popen(
        ["debuginfod", "-F", "-p", str(port), "-d", ":memory:", folder / "files"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(folder),
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"

    def has_it():
        try:
            with urllib.request.urlopen(f"{url}/buildid/{build_id}/debuginfo", timeout=5) as page:
                return page.read() == data
        except OSError:
            return False

    try:
        tracing.wait_until(has_it, "debuginfod has scanned the folder")
        stack, _ = run(path, folder, f"--debuginfod={url}")
        assert is_named(stack)
    finally:
        real.terminate()
        real.wait()


def test_server_that_does_not_have_it():
    needs_debuginfod()
    folder = fresh()
    path, build_id, data = stripped(folder)
    with server({}) as empty, server({build_id: data}) as good:
        entry = report(path, folder, f"--debuginfod={empty.url}")
        assert from_server(entry, empty.url) == ("not_on_server", "the server does not have it")
        # The next one is asked.
        entry = report(path, fresh(), f"--debuginfod={empty.url},{good.url}")
        assert entry["lines"], entry


def test_lying_server():
    needs_debuginfod()
    folder = fresh()
    path, build_id, data = stripped(folder)
    other = marked.build_id("/bin/true")
    lie = pathlib.Path("/bin/true").read_bytes()
    with server({build_id: lie}) as liar, server({build_id: data}) as good:
        entry = report(path, folder, f"--debuginfod={liar.url}")
        assert entry["lines"] is None
        assert from_server(entry, liar.url) == (
            "other_build_id",
            f"build-id is {other} and should be {build_id}",
        )
        assert not list((folder / "cache").glob("*/debuginfo")), "a lie is not kept"
        entry = report(path, folder, f"--debuginfod={liar.url},{good.url}")
        assert entry["lines"], "the next server is asked"


def test_server_that_is_not_there():
    needs_debuginfod()
    folder = fresh()
    path, _, _ = stripped(folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"
        entry = report(path, folder, f"--debuginfod={url}")
    reason, text = from_server(entry, url)
    assert reason == "server_error" and text.startswith("the server cannot be asked: "), text


def test_silent_server_is_asked_once():
    needs_debuginfod()
    folder = fresh()
    path, build_id, data = stripped(folder)
    other, other_id, other_data = stripped(fresh())
    with server({}, "silent") as silent:
        files = {build_id: data, other_id: other_data}
        with server(files) as good:
            done = subprocess.run(
                [*tracing.tracer(), "--explain-symbols", "--format=json",
                 f"--debuginfod={silent.url},{good.url}", path, other],
                capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
                env=environment(folder, DEBUGINFOD_TIMEOUT="3"),
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            entries = [json.loads(line) for line in done.stdout.splitlines()]
            assert all(entry["lines"] for entry in entries), entries
            assert len(silent.asked) == 1, silent.asked
            assert f"waiting for {silent.url}" in done.stderr, "progress is told"


def test_silent_server_reasons():
    needs_debuginfod()
    folder = fresh()
    path, _, _ = stripped(folder)
    with server({}, "silent") as silent:
        entry = report(path, folder, f"--debuginfod={silent.url}", DEBUGINFOD_TIMEOUT="1")
        assert from_server(entry, silent.url) == (
            "server_timeout",
            "the server did not answer in time: 1 seconds",
        )
        entry = report(
            path, fresh(), f"--debuginfod={silent.url}", DEBUGINFOD_TIMEOUT="50",
            DEBUGINFOD_MAXTIME="1",
        )  # fmt: skip
        reason, text = from_server(entry, silent.url)
        assert reason == "server_timeout" and "for all requests" in text, text


def test_tasks_run_while_a_server_is_silent():
    """The program makes all its calls and ends while what is shown still waits."""
    needs_debuginfod()
    folder = fresh()
    path, _, _ = stripped(folder)
    with server({}, "silent") as silent:
        it = marked.Run(
            with_mark_of_end(path, folder), [f"--debuginfod={silent.url}"],
            env=environment(folder, DEBUGINFOD_TIMEOUT="1000", DEBUGINFOD_MAXTIME="1000"),
        )  # fmt: skip
        it.ready()
        for _ in range(50):
            it.step()
        tracing.wait_until(lambda: silent.asked, "the server is asked")
        for _ in range(50):
            it.step()
        assert " > " not in it.so_far() or "the_mark" not in it.so_far()
        close_input_and_wait(it, folder)
        assert it.process.poll() is None, "the tracer still waits"
        silent.release.set()
        stacks = it.finish()
    assert len(stacks) == 100, "nothing was lost, everything is in order"


def test_interrupt_ends_the_waiting():
    needs_debuginfod()
    folder = fresh()
    path, _, _ = stripped(folder)
    with server({}, "silent") as silent:
        it = marked.Run(
            with_mark_of_end(path, folder), [f"--debuginfod={silent.url}"],
            env=environment(folder, DEBUGINFOD_TIMEOUT="1000", DEBUGINFOD_MAXTIME="1000"),
        )  # fmt: skip
        it.ready()
        it.step()
        tracing.wait_until(lambda: silent.asked, "the server is asked")
        close_input_and_wait(it, folder)
        it.process.send_signal(signal.SIGINT)
        (stack,) = it.finish()
        assert "the_mark" not in [frame.function for frame in stack]
        assert " > " in it.text, "what was held is written"


def test_slow_server_keeps_the_order():
    needs_debuginfod()
    folder = fresh()
    path, build_id, data = stripped(folder)
    with server({build_id: data}, "slow") as slow:
        it = marked.Run([path], [f"--debuginfod={slow.url}"], env=environment(folder))
        it.ready()
        for _ in range(3):
            it.step()
        tracing.wait_until(lambda: slow.asked, "the server is asked")
        slow.release.set()
        stacks = it.finish()
    assert [is_named(stack) for stack in stacks] == [True] * 3
    kinds = ["call" if "getpriority" in line else "frame" for line in it.text.splitlines()
             if not line.startswith("+++") and "+++" not in line]  # fmt: skip
    assert kinds.count("call") == 3 and kinds[0] == "call"


def test_alternate_file_from_a_server():
    needs_debuginfod()
    requires.require(["command:dwz"])
    folder = fresh()
    path, build_id, data = stripped(folder)
    _, _, other = stripped(fresh())
    (folder / "one").write_bytes(data)
    (folder / "two").write_bytes(other)
    marked.shell(f"cd {folder} && dwz -m common one two")
    common = folder / "common"
    files = {
        build_id: (folder / "one").read_bytes(),
        marked.build_id(common): common.read_bytes(),
    }
    common.unlink()
    with server(files) as good:
        entry = report(path, folder, f"--debuginfod={good.url}")
        assert entry["lines"] and "limit" not in entry["names"], entry


tap.run(globals())
