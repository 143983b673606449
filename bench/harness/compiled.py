"""Builds the wheel of ``games`` with the engine of Camel Up compiled by mypyc.

``make wheel`` copies this file next to ``games`` as ``setup.py``. Nothing needs this wheel, but large simulations of
Camel Up are faster with it: see ``python -m bench.speed camelup --compiled``.
"""

from mypyc.build import mypycify
from setuptools import setup

ENGINE = [f"games/camelup/{module}.py" for module in ("terms", "position", "rules_engine", "audit", "engine")]

setup(
    ext_modules=mypycify(["--config-file=", "--strict", "--follow-imports=silent", *ENGINE], opt_level="3"),
)
