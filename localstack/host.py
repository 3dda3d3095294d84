"""Starts LocalStack in this process.

Its annotations say `threading.Lock | None`, and before Python 3.13 that name is a function, not a class.
"""

import _thread
import threading


class Lock:
    def __new__(cls):
        return _thread.allocate_lock()


if not isinstance(threading.Lock, type):
    threading.Lock = Lock

from localstack.runtime.main import main  # noqa: E402

main()
